/// What `--dedupe` compares.
package enum DuplicateField: String, Sendable, CaseIterable {
  /// The transaction, or whatever the export gives every event as its own.
  case transaction = "tx"
  case device, name, time
}
