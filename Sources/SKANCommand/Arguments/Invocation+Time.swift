import SKANDevice

extension Invocation {
  /// The time of `--at` or `--after`, nil without one.
  func time() throws(CommandError) -> TimeSpec? {
    let given = preferred([OptionRow.at, .after].filter(spec.declares))
    if given.count > 1 { throw usage("two times are given: \(name(of: .at)) and \(name(of: .after))") }
    return switch given.first {
    case OptionRow.at?: try self[.at]
    case OptionRow.after?: try self[.after].map(TimeSpec.after)
    default: nil
    }
  }
}
