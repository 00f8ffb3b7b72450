extension ListReader {
  /// What reading needs besides the list itself.
  @safe package struct Options {
    package var variables = Variables()
    /// False for a list that continues a phone.
    package var allowsDevices = true
    /// Whether a `device` step is known to come; see ``declaresTooLate``.
    package var declaresDevices = false
    /// Whether a list without any step is a problem.
    package var requiresSteps = false
    /// What is added to the message of that problem: what lets it pass.
    package var adviceWithoutSteps = ""
    /// What a file is that is no list, by its name and its first line; nil for unknown content.
    package var otherContent: ((_ name: String, _ firstLine: [UInt8]) -> String?)?
    /// Opens an included list.
    package var open: (String) throws(SourceFailure) -> ByteSource = { _ throws(SourceFailure) in throw .missing }
    /// Opens an included list, without waiting for a writer.
    package var openIncluded: ((String) throws(SourceFailure) -> ByteSource)?
    /// Whether a list may be included by the outermost one, or by those that it includes.
    package var mayInclude: (_ path: String, _ outermost: String) -> Bool = { _, _ in true }
    /// The phones whose steps are read; those of others are passed over, and rules about several phones, as that one is
    /// declared, are kept among these only. Nil for all.
    package var partition: PhonePartition?
    /// Is given every line that holds no step, before the next item.
    package var seesOtherLine: ((UnsafeBufferPointer<UInt8>) -> Void)?

    package init() {}
  }
}
