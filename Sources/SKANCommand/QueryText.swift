import SKANDevice

/// Query strings outside a request.
enum QueryText {
  /// A text as it stands in a query.
  static func encoded(_ text: String) -> String {
    String([QueryItem("x", text)].percentEncoded.dropFirst(2))
  }
}
