import SKANBase
import SKANDevice
import SKANRun
import SKANSystem

/// `skan install` and `skan register`, which can both create a device file.
enum InstallCommands {
  private static let details = Option<String?>(
    "details", "FILE", .file, "start from a getSkanDetails dump of a real phone, as JSON or as NSLog prints it")
  private static let plist = Option<String?>(
    "plist", "FILE", .file, "the app's own Info.plist: copies of postbacks, windows, cool-downs, overlap")
  private static let force = Option<Bool>(
    flag: "force", "install anew over an existing device file; what it keeps is lost")

  struct InstallOptions: CommandOptions {
    private static let state = OptionRow.state.replaced(with: InstallCommands.force)

    let profile: DeviceProfile
    let details: String?
    let plist: String?
    let force: Bool
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      profile = try reader[ProfileOptions.self].profile
      details = try reader[InstallCommands.details]
      plist = try reader[InstallCommands.plist]
      force = try reader[InstallCommands.force]
      step = try StepOptions(reader, state: Self.state)
    }
  }

  struct RegisterOptions: CommandOptions {
    let profile: ProfileOptions
    let frameworkError: Int64?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      profile = try reader[ProfileOptions.self]
      frameworkError = try reader[.frameworkError]
      step = try reader[StepOptions.self]
    }
  }

  static let install = CommandSpec(
    .install, "Make a device file, without calling anything yet",
    examples: ["skan install --ios 16.0 --snippet skan3", "skan install --details dump.json --force"]
  ) { (options: InstallOptions, invocation) throws(CommandError) in
    var profile = options.profile
    try invocation.requireIOS(of: profile)
    if let plist = options.plist { try apply(plist, to: &profile, invocation.environment) }
    let device = Step.Operation.device(profile)
    let kept = try options.details.map { (path) throws(CommandError) in try keptState(path, invocation.environment) }
    let command = try StepCommand(options.step, invocation)
    let store = command.store
    try store.checkTime(options.step.time)
    let force = options.force
    try store.requireReplaceable(force)
    let results = try store.replacing(force: force) { (file) throws(CommandError) in
      let results = try command.run([Step(device, time: options.step.time)], on: &file)
      if let kept { file.phone.device.start(from: kept) }
      file.phone.device.redact(by: invocation.environment.redactor)
      return results.map { $0.with(file.phone.device) }
    }
    return try command.show(results)
  }

  static let register = CommandSpec(
    .register, "Register the app with Apple's framework; install a phone if there is none",
    examples: ["skan register", "skan register --snippet skan3 --ios 14.5 --at 2026-01-01T00:00:00Z"]
  ) { (options: RegisterOptions, invocation) throws(CommandError) in
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

  private static func apply(
    _ path: String, to profile: inout DeviceProfile, _ environment: Environment
  ) throws(CommandError) {
    let bytes = try environment.readRequired(path, as: [.plist], hint: "it should be the app's Info.plist (--plist)")
    do throws(PlistValue.Failure) { try AppPlistReader(bytes).apply(to: &profile) } catch {
      throw .content(file: path, [SourceProblem("this is no Info.plist: \(error.reason)", at: 0..<0)], in: bytes)
    }
  }

  private static func keptState(_ path: String, _ environment: Environment) throws(CommandError) -> KeptState {
    let bytes = try environment.readRequired(
      path, as: [.details], hint: "it should be a getSkanDetails dump (--details)")
    do throws(SourceProblems) {
      return try DetailsDump.read(bytes)
    } catch {
      throw .content(file: path, error, in: bytes)
    }
  }

  /// Compares the options with the profile of an existing phone, which does not change. A different value on the
  /// command line is an error; one from a variable or the project file gets a note.
  ///
  /// - Parameter isAdOfImpressions: whether the command says what brought the install, so that the phone's ad may be any.
  static func checkValues(
    _ invocation: Invocation, _ has: DeviceProfile, _ options: ProfileOptions, _ output: Output,
    isAdOfImpressions: Bool = false
  ) throws(CommandError) {
    // A random identifier never differs: the phone's own was new once.
    let others = ProfileOption.all.filter { option in
      invocation.has(option.row) && option.text(has) != option.text(options.profile)
        && !(options.hasRandomIDFV && option.row == .idfv)
        && !(isAdOfImpressions && [.ad, .organic].contains(option.row) && !invocation.isGiven(option.row))
    }.map { (option: $0.row, old: $0.text(has), new: $0.text(options.profile)) }
    for (option, old, new) in others where invocation.isGiven(option) {
      let isUpdatable = PhoneCommands.update.options.contains(option)
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

extension DeviceStore {
  /// Throws if a new phone's clock cannot start at a time. Called before the lock is taken.
  fileprivate func checkTime(_ time: TimeSpec?) throws(CommandError) {
    if PhoneClock(isVirtual: false).beginning(time, now: environment.now()) == nil {
      throw .usage(StepError.timeOutOfRange.message, command: nil)
    }
  }

  /// Creates the device file anew. Without `force`, throws if it exists.
  fileprivate func replacing<Value>(
    force: Bool, _ change: (inout DeviceFile) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    try locked { () throws(CommandError) in
      // Checked again under the lock: two simultaneous installs must not both succeed.
      try requireReplaceable(force)
      var file = DeviceFile(device: Device(DeviceProfile(idfv: nil)))
      let value = try change(&file)
      try save(file)
      return value
    }
  }
}

/// `skan update`, `skan relaunch` and `skan reset`.
enum PhoneCommands {
  // A phone keeps the values of options that are not given.
  private static let ios = Option<IOSVersion?>("ios", "VERSION", .iosVersion, "the phone's new version of iOS")
  private static let appVersion = Option<String?>("app-version", "VERSION", .text, "the app's new version")
  private static let snippet = Option<SnippetVersion?>(
    "snippet", "NAME", .choice, "the app's new snippet: skan4, skan4-beta or skan3")

  struct UpdateOptions: CommandOptions {
    let ios: IOSVersion?
    let appVersion: String?
    let snippet: SnippetVersion?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      ios = try reader[PhoneCommands.ios]
      appVersion = try reader[PhoneCommands.appVersion]
      snippet = try reader[PhoneCommands.snippet]
      step = try StepOptions(reader, hasFindings: false)
    }
  }

  struct RelaunchOptions: CommandOptions {
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) { step = try StepOptions(reader, hasFindings: false) }
  }

  static let update = CommandSpec(
    .update, "Update iOS, the app or the snippet; what is kept stays",
    examples: ["skan update --ios 16.1", "skan update --snippet skan4 --app-version 2.0"]
  ) { (options: UpdateOptions, invocation) throws(CommandError) in
    let (ios, appVersion, snippet) = (options.ios, options.appVersion, options.snippet)
    if ios == nil, snippet == nil, appVersion == nil {
      throw invocation.usage("'skan update' needs at least one of --ios, --app-version, --snippet")
    }
    let step = Step(.update(ios: ios, appVersion: appVersion, snippet: snippet), time: options.step.time)
    return try StepCommand(options.step, invocation).run([step]) { (phone) throws(CommandError) in
      guard let ios, ios < phone.profile.ios else { return }
      throw invocation.usage(
        "\(invocation.name(of: Self.ios)): the phone has iOS \(phone.profile.ios.text), and a phone is not put back to "
          + "\(ios.text); 'skan install --force --ios \(ios.text)' installs anew, and a step of an event list can do it"
      )
    }
  }

  static let relaunch = CommandSpec(
    .relaunch, "Start the app again; a leaked lock is free", examples: ["skan relaunch"]
  ) { (options: RelaunchOptions, invocation) throws(CommandError) in
    try StepCommand(options.step, invocation).run([Step(.relaunch, time: options.step.time)])
  }

  static let reset = CommandSpec(
    .reset, "Reinstall the app on the same phone; nothing is kept", examples: ["skan reset"]
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
