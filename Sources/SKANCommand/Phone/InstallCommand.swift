import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan install`.
enum InstallCommand {
  private static let details = Option<String?>(
    "details", "FILE", .file, "start from a getSkanDetails dump of a real phone, as JSON or as NSLog prints it")
  private static let plist = Option<String?>(
    "plist", "FILE", .namedFile, "the app's own Info.plist: copies of postbacks, windows, cool-downs, overlap")
  private static let force = Option<Bool>(
    flag: "force", "install again over an existing device file, whose contents are lost")

  struct Options: CommandOptions {
    private static let state = OptionRow.state.replaced(with: InstallCommand.force)

    let profile: DeviceProfile
    let details: String?
    let plist: String?
    let force: Bool
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      profile = try reader[ProfileOptions.self].profile
      details = try reader[InstallCommand.details]
      plist = try reader[InstallCommand.plist]
      force = try reader[InstallCommand.force]
      step = try StepOptions(reader, state: Self.state)
    }
  }

  static let spec = CommandSpec(
    "install", "Make a device file, without calling anything yet",
    examples: ["skan install --ios 16.0 --snippet skan3", "skan install --details dump.json --force"]
  ) { (options: Options, invocation) throws(CommandError) in
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
}

extension DeviceStore {
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
