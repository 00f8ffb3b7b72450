import SKANBase

/// The operations of lists and their keys, as the reader has them: for help and schemas.
package enum ListFormat {
  package struct Operation: Sendable {
    /// The value of `op`.
    package let name: String
    /// Those of ``ListFormat/commonKeys`` that it may have.
    package let commonKeys: [String]
    /// Its own keys.
    package let keys: [String]
  }

  /// The keys that steps have in common.
  package static let commonKeys = StepKey.common.map(\.text)

  /// In the order in which messages name them.
  package static let operations = OperationSpec.all.map { spec in
    let keys = spec.allowed.names(of: StepKey.names)
    return Operation(
      name: spec.name, commonKeys: keys.filter(commonKeys.contains), keys: keys.filter { !commonKeys.contains($0) })
  }
}
