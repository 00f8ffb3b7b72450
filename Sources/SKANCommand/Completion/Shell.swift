/// The shells that have completions.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
