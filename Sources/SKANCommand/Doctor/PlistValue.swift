import Foundation
import SKANSystem

/// A value of a property list, as far as the checks look at it.
enum PlistValue: Sendable, Equatable {
  case text(String)
  case bool(Bool)
  case dictionary([String: PlistValue])
  case array([PlistValue])
  case number(Double)
  /// A date or data.
  case other

  /// Why a file is not a property list.
  struct Failure: Error { let reason: String }

  /// Reads an XML or a binary property list.
  init(_ bytes: [UInt8]) throws(Failure) {
    do {
      let object = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
      self.init(object: object)
    } catch {
      let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw Failure(reason: cause ?? "it is not a property list")
    }
  }

  private init(object: Any) {
    switch object {
    case let text as String: self = .text(text)
    case let number as NSNumber where System.isBoolean(number): self = .bool(number.boolValue)
    case let number as NSNumber: self = .number(number.doubleValue)
    case let members as [String: Any]: self = .dictionary(members.mapValues { PlistValue(object: $0) })
    case let items as [Any]: self = .array(items.map { PlistValue(object: $0) })
    default: self = .other
    }
  }

  var members: [String: PlistValue]? { if case .dictionary(let members) = self { members } else { nil } }

  var isTrue: Bool { self == .bool(true) }

  /// In the words of a message.
  var kind: String {
    switch self {
    case .text: "a string"
    case .bool: "a boolean"
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .number: "a number"
    case .other: "a date or data"
    }
  }
}
