import Foundation
import TestSupport
import SKANBase

@testable import SKANModel

/// Models for the tests: the examples of the repository, and texts put together from their parts.
enum Models {
  static let examples = ["ad-revenue", "all-revenue", "engagement", "events", "iap-revenue", "mixed", "sample"]

  static let folder = Checkout.fixtures.appending(path: "models")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  static func example(_ name: String) throws -> ConversionModel { try ConversionModel(bytes(name)) }

  static func read(_ text: String) throws(SourceProblems) -> ConversionModel { try ConversionModel(Array(text.utf8)) }

  /// What reading a text complains of, with the text of each place.
  static func complaints(_ text: String) -> [String] {
    do throws(SourceProblems) {
      _ = try read(text)
      return []
    } catch {
      return error.problems.map { lines($0, in: text) }
    }
  }

  /// `PLACE: message`, the place as the first bytes of what it covers.
  static func lines(_ problem: SourceProblem, in text: String) -> String {
    let bytes = Array(text.utf8)
    let position = String(decoding: bytes[problem.range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    return "\(position.count > 24 ? position.prefix(24) + "…" : position): \(problem.message)"
  }
}

/// Parts of a model's text.
enum Part {
  static func model(fine: [String] = [], windows: [String] = [], _ more: String = "") -> String {
    #"{"fine_grained_conversion_value_mappings":[\#(fine.joined(separator: ","))],"#
      + #""postback_mappings":[\#(windows.joined(separator: ","))]\#(more.isEmpty ? "" : ",\(more)")}"#
  }

  static func fine(_ value: Int, _ events: String..., hours: String = "") -> String {
    #"{"fine_grained_conversion_value":\#(value),"conversion_value_mapping":\#(mapping(events, hours))}"#
  }

  static func window(
    _ index: Int, low: String? = nil, medium: String? = nil, high: String? = nil, lock: String = ""
  ) -> String {
    let steps = [("low", low), ("medium", medium), ("high", high)].compactMap { name, event in
      event.map { #""\#(name)_conversion_value_mapping":\#(mapping([$0], ""))"# }
    }
    return #"{"postback_sequence_index":\#(index),"coarse_grained_conversion_value_mappings":{"#
      + steps.joined(separator: ",") + "}" + (lock.isEmpty ? "" : ",\(lock)") + "}"
  }

  private static func mapping(_ events: [String], _ hours: String) -> String {
    #"{\#(hours.isEmpty ? "" : "\(hours),")"mapped_events":[\#(events.joined(separator: ","))]}"#
  }

  static func event(_ name: String, _ more: String = "") -> String {
    #"{"mapped_event_name":"\#(name)"\#(more.isEmpty ? "" : ",\(more)")}"#
  }

  /// Revenue of any kind in a range; nil leaves the end out.
  static func revenue(
    _ min: Double?, _ max: Double?, _ name: String = "__REVENUE__", currency: String = "USD"
  ) -> String {
    let ends = [("min", min), ("max", max)].compactMap { end in end.1.map { #""\#(end.0)_event_revenue":\#($0)"# } }
    return event(name, #""currency_code":"\#(currency)","event_revenue_range":{\#(ends.joined(separator: ","))}"#)
  }

  static func count(_ name: String, _ min: Int?, _ max: Int?) -> String {
    let ends = [("min", min), ("max", max)].compactMap { end in end.1.map { #""\#(end.0)_event_count":\#($0)"# } }
    return event(name, #""event_occurrence_range":{\#(ends.joined(separator: ","))}"#)
  }
}
