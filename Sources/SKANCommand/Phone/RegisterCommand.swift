import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan register`, which creates a device file if there is none.
enum RegisterCommand {
  struct Options: CommandOptions {
    let profile: ProfileOptions
    let frameworkError: Int64?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      profile = try reader[ProfileOptions.self]
      frameworkError = try reader[.frameworkError]
      step = try reader[StepOptions.self]
    }
  }

  static let spec = CommandSpec(
    "register", "Register the app with Apple's framework; install a phone if there is none",
    examples: ["skan register", "skan register --snippet skan3 --ios 14.5 --at 2026-01-01T00:00:00Z"]
  ) { (options: Options, invocation) throws(CommandError) in
    let profile = options.profile.profile
    let command = try StepCommand(options.step, invocation)
    try command.store.checkTime(options.step.time)
    let results = try command.store.changing { (existing) throws(CommandError) in
      if let existing {
        try options.profile.check(against: existing.phone.device.profile, invocation, command.output)
      } else {
        try invocation.requireIOS(of: profile)
      }
      var file = existing ?? DeviceFile(device: Device(profile))
      let step = Step(.register(frameworkError: options.frameworkError), time: options.step.time)
      let results = try command.run([step], on: &file)
      if existing == nil { results.last?.report.found += profile.warnings }
      return (file, results)
    }
    return try command.show(results)
  }
}
