import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan aak update FINE`: an app that calls AdAttributionKit itself.
enum AAKUpdateCommand {
  private static let coarse = Option<CoarseValue?>("coarse", "VALUE", .coarse, "the coarse value: low, medium or high")
  private static let lock = Option<Bool>(flag: "lock", "lock the postback")
  private static let types = Option<[DirectUpdate.ConversionKind]>(
    "type", "TYPE", each: .choice, "update conversions of this type only: install or reengagement (repeatable)")

  struct Options: CommandOptions {
    let coarse: CoarseValue?
    let lock: Bool
    let types: [DirectUpdate.ConversionKind]
    let tag: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      coarse = try reader[AAKUpdateCommand.coarse]
      lock = try reader[AAKUpdateCommand.lock]
      types = try reader[AAKUpdateCommand.types]
      tag = try reader[.conversionTag]
      step = try StepOptions(reader, hasFindings: false)
    }
  }

  static let spec = CommandSpec(
    "aak update", "Call AdAttributionKit directly, for apps that use both frameworks", arguments: ["FINE"],
    examples: ["skan aak update 5 --coarse medium", "skan aak update 5 --type reengagement --lock"]
  ) { (options: Options, invocation) throws(CommandError) in
    var update = DirectUpdate(
      fine: try ValueParser<Int64>.integer.parse(invocation.argument(0, named: "FINE")), coarse: options.coarse,
      lock: options.lock)
    update.types = options.types.isEmpty ? nil : options.types
    update.tag = options.tag
    return try StepCommand(options.step, invocation).run([Step(.adAttributionKit(update), time: options.step.time)])
  }
}

/// The conversion tag, which `skan aak reengage` has, too.
extension OptionRow {
  static let conversionTag = Option<String?>("tag", "TAG", .conversionTag, "the conversion tag")
}

extension ValueParser<String> {
  fileprivate static var conversionTag: Self {
    Self(.text) { (given) throws(CommandError) in
      guard OpenedAd.isTag(given.text) else { throw given.mustBe(OpenedAd.tagForm) }
      return given.text
    }
  }
}
