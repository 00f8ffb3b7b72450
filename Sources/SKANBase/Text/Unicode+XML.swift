extension Unicode.Scalar {
  /// The entity that stands for the character in texts and quoted attributes of XML; nil where it needs none.
  package var xmlEntity: String? {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }

  /// Whether XML 1.0 cannot hold it, not even escaped, although it is neither a control nor hidden.
  package var isOutsideXML: Bool { value == 0xFFFE || value == 0xFFFF }
}
