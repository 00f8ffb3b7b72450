extension String {
  /// In quotes for a shell.
  var quotedForShell: String { "'\(replacing("'", with: "'\\''"))'" }
}
