extension Int {
  /// `1 file`, `2 files`.
  ///
  /// - Parameter many: the plural where it is not the singular and an s.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? "\(one)s")"
  }
}
