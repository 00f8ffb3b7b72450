import Foundation

/// What `skan help --json` prints, as another program reads it.
struct HelpTableDocument: Decodable {
  struct Command: Decodable {
    var name: String
    var summary: String
    var arguments: [Argument]
    var options: [Row]
    var examples: [String]
    var resultKeys: [String]

    var optionNames: Set<String> { Set(options.map(\.name)) }
  }

  struct Argument: Decodable, Equatable {
    var name: String
    var optional: Bool
    var repeatable: Bool
  }

  struct Row: Decodable, Equatable {
    var name: String
    var short: String?
    var type: String
    var placeholder: String?
    var `default`: String?
    var values: [String]
    var variable: String?
    var repeatable: Bool
    var help: String
  }

  struct Code: Decodable {
    var code: Int
    var name: String
    var meaning: String
  }

  struct WarningLevel: Decodable {
    var code: String
    var level: String
  }

  struct Variable: Decodable {
    var name: String
    var prefix: Bool
    var help: String
  }

  var version: String
  var commands: [Command]
  var exitCodes: [Code]
  var resultKeys: [String]
  var warningCodes: [WarningLevel]
  var variables: [Variable]

  static func printed() throws -> HelpTableDocument {
    try decoded(HelpTableDocument.self, World().run("help --json").out)
  }

  static func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(text.utf8))
  }
}
