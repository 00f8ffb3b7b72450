/// What a model asks for before it gives a value: any of some mappings.
struct ValueMeaning {
  /// Those that a user can fulfil.
  private let mappings: [(mapping: ValueMapping, region: ModelRegion)]

  /// - Parameter hours: those of the value's window.
  init(_ mappings: [ValueMapping], hours: Range<Int64>) {
    self.mappings = mappings.map { ($0, ModelRegion($0, hours: hours)) }.filter { !$0.1.isEmpty }
  }

  /// Nil when the value never comes.
  var displayText: String? {
    mappings.isEmpty ? nil : mappings.map(\.mapping.displayText).joined(separator: ", or ")
  }

  /// Whether both hold for the same users at the same time.
  func isSame(as other: ValueMeaning) -> Bool { isWithin(other) && other.isWithin(self) }

  private func isWithin(_ other: ValueMeaning) -> Bool {
    let others = other.mappings.map(\.region)
    var budget = ModelRegion.mostWork
    return mappings.allSatisfy { _, region in
      others.contains { region.isWithin($0) } || region.isCovered(by: others, &budget)
    }
  }
}
