import SKANCommandLine
import SKANRun

/// `skan download`.
enum DownloadCommand {
  private static let redownload = Option<Bool>(flag: "redownload", "the user had the app before")

  struct Options: CommandOptions {
    let isRedownload: Bool
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      isRedownload = try reader[DownloadCommand.redownload]
      step = try reader[StepOptions.self]
    }
  }

  static let spec = CommandSpec(
    "download", "Download the app, which decides the impression that won; once more deletes it first",
    examples: ["skan download", "skan download --at +2d --expect attribution.winner=a.skadnetwork"]
  ) { (options: Options, invocation) throws(CommandError) in
    let command = try StepCommand(options.step, invocation)
    let results = try command.store.changingExisting { (file) throws(CommandError) in
      // The phone lives on; what belongs to the deleted app is lost.
      if file.phone.device.isInstalled { file = DeviceFile(device: file.phone.device, clock: file.phone.clock) }
      let step = Step(.download(isRedownload: options.isRedownload), time: options.step.time)
      return try command.run([step], on: &file)
    }
    return try command.show(results)
  }
}
