import SKANDevice
import SKANBase

/// What happens to the phone or shows it, apart from the app's own calls.
extension OperationSpec {
  static let details = OperationSpec(
    "details", "a step with op \"details\"", decode: { _, step in step.operation = .details })

  static let relaunch = OperationSpec(
    "relaunch", "a step with op \"relaunch\"", decode: { _, step in step.operation = .relaunch },
    history: { _ in .relaunch })

  static let update = OperationSpec(
    "update", "a step with op \"update\"", profileKeys: ["ios", "app_version", "snippet"],
    decode: { reader, step in
      step.operation = .update(
        ios: reader.iosVersion("ios"), appVersion: reader.string("app_version"), snippet: reader.choice("snippet"))
      if !reader.has("ios"), !reader.has("app_version"), !reader.has("snippet") {
        reader.complain("an update needs at least one of \"ios\", \"app_version\", \"snippet\"")
      }
    },
    encode: { operation, writer in
      guard case .update(let ios, let appVersion, let snippet) = operation else { return }
      if let ios { writer.add("ios", .string(ios.text)) }
      if let appVersion { writer.add("app_version", .string(appVersion)) }
      if let snippet { writer.add("snippet", .string(snippet.rawValue)) }
    },
    history: { _ in .update })

  static let postbacks = OperationSpec(
    "postbacks", "a step with op \"postbacks\"", decode: { _, step in step.operation = .postbacks })

  /// Another list in the place of the line. It is a step only when it is skipped, and has no phone and no time.
  static let include = OperationSpec(
    "include", "a step with op \"include\"", common: [.op, .skip], keys: [.file],
    decode: { reader, step in
      let file = reader.string(at: .file)
      if file == nil { reader.require(at: .file) }
      if file?.isEmpty ?? false { reader.complain("\"file\" must name a list", about: "file") }
      step.operation = .include(file ?? "")
    },
    encode: { operation, writer in
      guard case .include(let file) = operation else { return }
      writer.add(.file, .string(file))
    })
}
