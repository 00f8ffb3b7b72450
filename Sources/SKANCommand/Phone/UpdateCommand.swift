import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan update`.
enum UpdateCommand {
  // A phone keeps the values of options that are not given.
  private static let ios = Option<IOSVersion?>("ios", "VERSION", .iosVersion, "the phone's new version of iOS")
  private static let appVersion = Option<String?>("app-version", "VERSION", .text, "the app's new version")
  private static let snippet = Option<SnippetVersion?>(
    "snippet", "NAME", .choice, "the app's new snippet: skan4, skan4-beta or skan3")

  struct Options: CommandOptions {
    let ios: IOSVersion?
    let appVersion: String?
    let snippet: SnippetVersion?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      ios = try reader[UpdateCommand.ios]
      appVersion = try reader[UpdateCommand.appVersion]
      snippet = try reader[UpdateCommand.snippet]
      step = try StepOptions(reader, hasFindings: false)
    }
  }

  static let spec = CommandSpec(
    "update", "Update iOS, the app or the snippet; what is kept stays",
    examples: ["skan update --ios 16.1", "skan update --snippet skan4 --app-version 2.0"]
  ) { (options: Options, invocation) throws(CommandError) in
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
}
