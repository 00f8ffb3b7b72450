import SKANRun

extension IncludePermission {
  static let option = Option<[String]>(
    "allow-include", "DIR", each: .directory,
    "let lists include what is below DIR, not only below their own folder (repeatable)")

  init(_ invocation: Invocation) throws(CommandError) {
    self.init(folders: try invocation[Self.option], target: invocation.environment.files.target)
  }
}
