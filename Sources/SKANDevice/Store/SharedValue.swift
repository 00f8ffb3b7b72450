/// A value that copies share until one of them gets another: copying a phone does not copy its profile.
struct SharedValue<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    _read { yield box.value }
    set { box = Box(newValue) }
  }
}

extension SharedValue: Equatable where Value: Equatable {
  static func == (left: SharedValue, right: SharedValue) -> Bool {
    left.box === right.box || left.value == right.value
  }
}
