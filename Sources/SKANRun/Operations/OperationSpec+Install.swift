import SKANDevice

/// An install and its registration.
extension OperationSpec {
  static let device = OperationSpec(
    "device", "a step with op \"device\"", profileKeys: DeviceProfile.keys,
    decode: { reader, step in
      let profile = DeviceProfile(from: &reader, phone: step.device)
      if let problem = profile.clockProblem { reader.complain("\(problem); set \"ios\": \"18.0\"", about: "clock") }
      step.operation = .device(profile)
    },
    encode: { operation, writer in
      guard case .device(let profile) = operation else { return }
      writer.add(profile.json)
    })

  static let register = OperationSpec(
    "register", "a step with op \"register\"", keys: [.frameworkError],
    decode: { reader, step in step.operation = .register(frameworkError: reader.integer(at: .frameworkError)) },
    encode: { operation, writer in
      guard case .register(let error?) = operation else { return }
      writer.add(.frameworkError, .integer(error))
    },
    history: { _ in .register })
}
