import Foundation
import TestSupport

extension World {
  /// A world with the example models under their names, and some that are wrong.
  static func withModels(registered: Bool = false) throws -> World {
    let world = registered ? World.registered() : World()
    for name in ["sample", "mixed", "engagement", "iap-revenue"] {
      world["\(name).json"] = try Workspace.exampleModel(name)
    }
    world["bad.json"] = #"{"app_idd":"1","measurement_window_hours":-1}"#
    world["odd.json"] =
      #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1},"#
      + #"{"fine_grained_conversion_value":1}]}"#
    world["rates.json"] = #"{"EUR":0.5}"#
    world["bad-rates.json"] = #"{"eur":1}"#
    return world
  }

  /// The same, with the export `may.csv` and its mapping.
  static func withBacktest() throws -> World {
    let world = try withModels()
    for name in ["may.csv", "mapping.json"] {
      world[name] = try String(contentsOf: Checkout.fixtures.appending(path: "backtest/\(name)"), encoding: .utf8)
    }
    return world
  }
}

extension Workspace {
  /// The text of a model under `fixtures/models`.
  static func exampleModel(_ name: String) throws -> String {
    let folder = Checkout.fixtures.appending(path: "models")
    return String(decoding: try Data(contentsOf: folder.appending(path: "\(name).json")), as: UTF8.self)
  }
}
