/// A lock that is held until it is released.
package struct HeldLock {
  package let release: () -> Void
  /// Whether it still keeps others out: not when its file was removed.
  package let isIntact: () -> Bool

  package init(isIntact: @escaping () -> Bool = { true }, release: @escaping () -> Void) {
    self.isIntact = isIntact
    self.release = release
  }
}
