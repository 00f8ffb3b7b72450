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
        try checkValues(invocation, existing.phone.device.profile, options.profile, command.output)
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

  /// Compares the options with the profile of an existing phone, which does not change. A different value on the
  /// command line is an error; one from a variable or the project file gets a note.
  private static func checkValues(
    _ invocation: Invocation, _ has: DeviceProfile, _ options: ProfileOptions, _ output: Output
  ) throws(CommandError) {
    // A random identifier never differs: the phone's own was new once.
    let others = ProfileOption.all.filter { option in
      invocation.has(option.row) && option.text(has) != option.text(options.profile)
        && !(options.hasRandomIDFV && option.row == .idfv)
    }.map { (option: $0.row, old: $0.text(has), new: $0.text(options.profile)) }
    for (option, old, new) in others where invocation.isGiven(option) {
      let isUpdatable = UpdateCommand.spec.options.contains(option)
      let update = isUpdatable ? "'skan update \(option.flag) \(new)' changes it; " : ""
      throw invocation.usage(
        "\(option.flag): this phone is installed already with \(old), not \(new); \(update)"
          + "'skan install --force' installs anew and loses what the phone keeps")
    }
    for (option, old, new) in others {
      output.note(
        .remark(
          "\(invocation.name(of: option)): this phone is installed already and keeps \(option.name) \(old), not \(new) "
            + "('skan update' changes iOS, app version and snippet; 'skan install --force' installs anew)"))
    }
  }
}
