import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANReceive
import SKANSigning

/// The options for decoding received postbacks.
enum DecodingOptions {
  static let model = Option<[ModelArgument]>(
    "model", "[APP=][from=DATE:]FILE", each: .model,
    "decode values with this conversion model, for the app with this App Store id or bundle id, from that day on "
      + "(repeatable)", hasVariable: true)
  static let receivedAt = Option<Instant?>(
    "received-at", "TIME", .instant, absent: "now", "when the postbacks were received")
  static let campaigns = Option<String?>(
    "campaigns", "FILE", .namedFile,
    "name the campaigns of the postbacks: CSV with the columns network, identifier, from, until, campaign_id, "
      + "campaign_name, country")
}

extension Invocation {
  /// The models and campaigns used to read received postbacks.
  ///
  /// - Parameters:
  ///   - models: the values of the option `--model`.
  ///   - campaigns: the file that maps identifiers to campaigns.
  func postbackContext(_ models: [ModelArgument], campaigns: String?) throws(CommandError) -> PostbackContext {
    let campaigns = try campaigns.map { (path) throws(CommandError) in
      let bytes = try environment.readRequired(
        path, as: [.campaigns, .table], hint: "it should hold a map of campaigns, as CSV")
      do throws(SourceNotes) { return try CampaignMap(bytes, file: path) } catch {
        throw .content(file: path, error.notes, more: error.more)
      }
    }
    return PostbackContext(models: try decodingModels(models), campaigns: campaigns)
  }

  /// The models of the option `--model`, by the App Store ids in postbacks.
  func decodingModels(_ arguments: [ModelArgument]) throws(CommandError) -> DecodingModels {
    let option = name(of: .model)
    var models = DecodingModels()
    for argument in arguments {
      for (app, model) in try decodedApps(argument, option) {
        do throws(DecodingModels.Overlap) {
          try models.add(model, file: argument.path, for: app, from: argument.from)
        } catch {
          let whose = app.map { "app \($0.text)" } ?? "every other app"
          throw usage(
            argument.from.map {
              "\(option): \(error.earlierFile) and \(argument.path) are both for \(whose) from \($0) on"
            }
              ?? "\(option): \(error.earlierFile) and \(argument.path) are both for \(whose); say from when one "
              + "of them is valid, as in \(app.map { "\($0.text)=" } ?? "")from=2026-05-01:\(argument.path)")
        }
      }
    }
    return models
  }

  /// The models of an argument, each with the app whose postbacks it decodes; nil for all apps that have no model.
  func decodedApps(
    _ argument: ModelArgument, _ option: String
  ) throws(CommandError) -> [(AppStoreID?, ConversionModel)] {
    if argument.app == nil {
      let models = try readModels(argument.path)
      return try models.map { (model) throws(CommandError) in
        guard let text = model.appID else {
          if models.count == 1 { return (nil, model) }
          throw usage(
            "\(option): \(argument.path) holds \(models.count) models, and one without an app_id: whose postbacks it "
              + "decodes is not known")
        }
        guard let app = AppStoreID(text) else {
          throw usage(
            "\(option): the app_id of \(argument.path) is \(text), and postbacks name their app by its App Store id; "
              + "give it, as in 525463029=\(argument.path)")
        }
        return (app, model)
      }
    }
    let model = try readModel(argument.path, for: argument.app)
    let stated = model.appID.flatMap(AppStoreID.init)
    if let app = argument.app.flatMap(AppStoreID.init) {
      if let stated, stated != app {
        environment.printError(
          [
            .remark(
              "\(option): \(argument.path.oneLine) decodes app \(app.text), and says that it is of app \(stated.text)")
          ])
      }
      return [(app, model)]
    }
    guard let stated else {
      throw usage(
        "\(option): \(argument.path) has no App Store id (app_id), and postbacks name their app by nothing else: which "
          + "are of \(argument.app ?? "") is not known; give the id, as in 525463029=\(argument.path)")
    }
    return [(stated, model)]
  }

  /// The models that answer phones. If an app has models for successive periods, this is the one valid now.
  ///
  /// - Parameter decodes: whether the models also decode postbacks.
  func answeringModels(_ given: [ModelArgument], decodes: Bool) throws(CommandError) -> [ModelArgument] {
    guard given.contains(where: { $0.from != nil }) else { return given }
    let option = name(of: .model)
    guard decodes else {
      throw usage(
        "\(option): from=DATE says which postbacks a model decodes, with 'skan serve --postbacks', 'skan receive' and "
          + "'skan verify'; here one model answers")
    }
    let now = environment.now()
    let begun = given.filter { $0.from.map { $0 <= now } ?? true }
    for argument in given where !begun.contains(where: { $0.app == argument.app }) {
      throw usage(
        "\(option): \(argument.path) is valid from \(argument.from ?? now) on, and until then no model answers "
          + "\(argument.app ?? "phones"): give the one before it, too")
    }
    return begun.filter { argument in
      !begun.contains { other in
        other.app == argument.app && other.from.map { from in argument.from.map { $0 < from } ?? true } ?? false
      }
    }
  }
}
