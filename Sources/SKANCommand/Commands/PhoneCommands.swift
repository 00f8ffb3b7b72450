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

  static let update = CommandSpec(
    "update", "the phone or the app is updated; what is kept stays",
    options: [
      ios, appVersion, snippet,
    ] + CommandLineTool.stepOptions,
    examples: ["skan update --ios 16.1", "skan update --snippet skan4 --app-version 2.0"]
  ) { (invocation) throws(CommandError) in
    let ios = try invocation[ios]
    let snippet = try invocation[snippet]
    let appVersion = try invocation[appVersion]
    if ios == nil, snippet == nil, appVersion == nil {
      throw invocation.usage("'skan update' needs at least one of --ios, --app-version, --snippet")
    }
    let step = Step(.update(ios: ios, appVersion: appVersion, snippet: snippet), time: try invocation.time())
    return try invocation.run([step]) { (phone) throws(CommandError) in
      guard let ios, ios < phone.profile.ios else { return }
      throw invocation.usage(
        "\(invocation.name(of: Self.ios)): the phone has iOS \(phone.profile.ios.text), and a phone is not put back to "
          + "\(ios.text); 'skan install --force --ios \(ios.text)' installs anew, and a step of an event list can do it"
      )
    }
  }

  static let relaunch = CommandSpec(
    "relaunch", "the app is started anew: a leaked lock is free again", options: CommandLineTool.stepOptions,
    examples: ["skan relaunch"]
  ) { (invocation) throws(CommandError) in
    return try invocation.run([Step(.relaunch, time: try invocation.time())])
  }

  static let reset = CommandSpec(
    "reset", "install the same app anew on the same phone: nothing is kept",
    options: CommandLineTool.stepOptions, examples: ["skan reset"]
  ) { (invocation) throws(CommandError) in
    let execution = try StepExecution(invocation)
    let time = try invocation.time()
    let results = try DeviceStore(invocation).changingExisting { (file) throws(CommandError) in
      let step = Step(.device(file.phone.device.profile), time: time)
      // The clock on the wall goes on; everything else begins anew.
      file = DeviceFile(device: file.phone.device, clock: file.phone.clock)
      return try invocation.run([step], on: &file, execution)
    }
    return try invocation.show(results, execution)
  }
}
