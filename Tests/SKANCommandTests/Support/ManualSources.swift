import Foundation
import SKANBase
import TestSupport

@testable import SKANCommand

/// The modules by layer, as `Package.swift` has them; the lowest layer is 1.
enum PackageLayers {
  static let all: [(layer: Int, module: String)] = {
    let text = (try? String(contentsOf: Checkout.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    guard let start = text.firstRange(of: "let layers: [[String]] = [\n") else { return [] }
    let end = text[start.upperBound...].firstRange(of: "\n]\n")?.lowerBound ?? text.endIndex
    return text[start.upperBound..<end].split(separator: "\n").enumerated().flatMap { index, line in
      line.matches(of: /"(\w+)"/).map { (index + 1, String($0.output.1)) }
    }
  }()
}

extension JSONForm {
  /// Those of an object.
  static func keys(of json: JSON) -> [String] {
    if case .object(let members) = json { members.map(\.key) } else { [] }
  }

  /// The keys that a schema knows, at any depth.
  static func allKeys(in schema: JSON) -> Set<String> {
    switch schema {
    case .object(let members):
      members.reduce(into: []) { keys, member in
        if member.key == "properties" { keys.formUnion(Self.keys(of: member.value)) }
        keys.formUnion(allKeys(in: member.value))
      }
    case .array(let items): items.reduce(into: []) { $0.formUnion(allKeys(in: $1)) }
    default: []
    }
  }
}

extension JSON {
  /// Those of an array.
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}

extension Int {
  /// With a comma between thousands.
  var grouped: String {
    let digits = Array("\(self)")
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }.joined()
  }
}
