import SKANDevice
import SKANBase

extension QueryParameter {
  /// Finds a parameter by the bytes of its name.
  static let keys = JSONKeys(names)

  /// Each name as the beginning of a member of a JSON object. In the order of the cases, which is the order of a journal's
  /// line.
  static let members = names.map { "\"\($0)\":" }
}
