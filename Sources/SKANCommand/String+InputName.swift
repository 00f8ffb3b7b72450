import SKANBase

extension String {
  /// An argument that names a file, as messages name it: `-` is standard input.
  var inputName: String { self == "-" ? "standard input" : oneLine }
}
