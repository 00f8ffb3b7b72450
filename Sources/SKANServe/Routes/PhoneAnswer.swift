/// What a handler answers a phone.
struct PhoneAnswer {
  let body: [UInt8]
  /// Why, in one or more sentences for the journal.
  let explanation: String
}
