import SKANBase

extension ForwardedProfile {
  /// The keys among those of a profile.
  package static let keys = ["ip", "make", "model", "locale", "os_build", "att_status", "sdid"]

  /// Reads the keys of a profile that are about the app's server; what is absent keeps its default.
  init(from reader: inout JSONObjectReader) {
    self.init()
    ip = reader.string("ip")
    make = reader.string("make") ?? make
    model = reader.string("model") ?? model
    locale = reader.string("locale") ?? locale
    osBuild = reader.string("os_build") ?? osBuild
    attStatus = reader.integer("att_status", in: 0...3)
    sdid = reader.string("sdid")
  }

  /// The members that are not the default.
  var members: [(key: String, value: JSON)] {
    let usual = ForwardedProfile()
    var members: [(key: String, value: JSON)] = []
    if let ip { members.append(("ip", .string(ip))) }
    if make != usual.make { members.append(("make", .string(make))) }
    if model != usual.model { members.append(("model", .string(model))) }
    if locale != usual.locale { members.append(("locale", .string(locale))) }
    if osBuild != usual.osBuild { members.append(("os_build", .string(osBuild))) }
    if let attStatus { members.append(("att_status", .integer(attStatus))) }
    if let sdid { members.append(("sdid", .string(sdid))) }
    return members
  }
}
