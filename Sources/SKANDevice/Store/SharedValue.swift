/// A value that copies share until one of them changes it, so that copying a phone does not copy its profile.
@usableFromInline struct SharedValue<Value: Sendable>: Sendable {
  /// Changed only if uniquely referenced.
  private final class Box: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

extension SharedValue: Equatable where Value: Equatable {
  @usableFromInline static func == (left: SharedValue, right: SharedValue) -> Bool {
    left.box === right.box || left.value == right.value
  }
}
