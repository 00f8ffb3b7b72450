/// For whom failures are printed so that they show at the lines of the lists.
enum AnnotationForm: String, CaseIterable, Sendable {
  /// GitHub Actions.
  case github
}
