extension ConversionModel {
  /// What stands for a value; nil when the model gives it to no install.
  ///
  /// A fine value never stands for what its coarse value does.
  package func mapping(of value: ModelValue) -> ValueMapping? {
    switch value {
    case .fine(let number): fine.first { $0.value == number }?.mapping
    case .coarse(let value, let window): windows[window].coarse.first { $0.value == value }?.mapping
    }
  }
}
