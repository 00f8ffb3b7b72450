import SKANCommandLine
import SKANRun

/// `skan reset`.
enum ResetCommand {
  static let spec = CommandSpec(
    "reset", "Reinstall the app on the same phone; nothing is kept", examples: ["skan reset"]
  ) { (options: StepOptions, invocation) throws(CommandError) in
    let command = try StepCommand(options, invocation)
    let results = try command.store.changingExisting { (file) throws(CommandError) in
      let step = Step(.device(file.phone.device.profileAnew), time: options.time)
      // The wall clock continues; everything else starts over.
      file = DeviceFile(device: file.phone.device, clock: file.phone.clock)
      return try command.run([step], on: &file)
    }
    return try command.show(results)
  }
}
