import SKANDevice
import SKANRun
import SKANSystem

/// `skan update`, `skan relaunch` and `skan reset`.
enum PhoneCommands {
  // A phone keeps what is not given.
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
      step = try StepOptions(reader)
    }
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
  ) { (options: StepOptions, invocation) throws(CommandError) in
    try StepCommand(options, invocation).run([Step(.relaunch, time: options.time)])
  }

  static let reset = CommandSpec(
    .reset, "Reinstall the app on the same phone; nothing is kept", examples: ["skan reset"]
  ) { (options: StepOptions, invocation) throws(CommandError) in
    let command = try StepCommand(options, invocation)
    let results = try command.store.changingExisting { (file) throws(CommandError) in
      let step = Step(.device(file.phone.device.profile), time: options.time)
      // The clock on the wall goes on; everything else begins anew.
      file = DeviceFile(device: file.phone.device, clock: file.phone.clock)
      return try command.run([step], on: &file)
    }
    return try command.show(results)
  }
}
