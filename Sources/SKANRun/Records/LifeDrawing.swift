/// The life of a phone, drawn for a page.
package struct LifeDrawing: Sendable, Equatable {
  /// The phone's name in its list.
  package let phone: String
  /// An element of HTML without a style of its own, the SDK key taken out.
  package let html: String

  package init(phone: String, html: String) {
    self.phone = phone
    self.html = html
  }
}
