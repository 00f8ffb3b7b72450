/// What a handler answers a phone.
struct PhoneAnswer {
  let body: [UInt8]
  /// Why, in one or more sentences for the journal, in UTF-8.
  let explanation: [UInt8]
}
