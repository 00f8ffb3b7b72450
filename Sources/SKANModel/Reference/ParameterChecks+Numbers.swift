import SKANDevice
import SKANBase

extension ParameterChecks {
  @inline(__always)
  mutating func fineValue(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) -> Int64? {
    if api == .v1 {
      guard let value = parameters.number(.skan3Value), !value.isEmpty else { return 0 }
      return try small(value, .skan3Value, upTo: 63)
    }
    guard let value = try required(parameters, .fine) else { return nil }
    return try small(value, .fine, upTo: 63)
  }

  mutating func optionalNumbers(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) {
    for (parameter, limit) in QueryParameter.optionalNumbers {
      if let number = parameters.number(parameter) { _ = try small(number, parameter, upTo: limit) }
    }
    for parameter in QueryParameter.locks where parameters.number(parameter) != nil {
      _ = try seconds(parameters, parameter)
    }
  }

  /// When the framework was called, in Unix seconds; 0 stands for never.
  @inline(__always)
  mutating func call(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> Int64? {
    guard let value = try seconds(parameters, parameter) else { return nil }
    if value != 0 { return value }
    try report(parameter, "is missing: 0 stands for \"not set\"")
    return nil
  }

  /// Whole Unix seconds.
  @inline(__always)
  private mutating func seconds(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> Int64? {
    guard let number = try required(parameters, parameter) else { return nil }
    if let value = number.value, (0...Instant.secondsRange.upperBound).contains(value) { return value }
    try report(parameter, "must be whole Unix seconds, it is \(JSONWriter.quoted(number.text))")
    return nil
  }

  @inline(__always)
  private mutating func required(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> ReportedNumber? {
    guard let number = parameters.number(parameter) else {
      try sink.report(parameter == .fine ? .noCurrentValue : .badParameter(parameter.name, why: "is missing"))
      return nil
    }
    if !number.isEmpty { return number }
    try report(parameter, "is empty")
    return nil
  }

  @inline(__always)
  private mutating func small(
    _ number: ReportedNumber, _ parameter: QueryParameter, upTo limit: Int64
  ) throws(RequestProblem) -> Int64? {
    if let value = number.value, (0...limit).contains(value) { return value }
    let text = JSONWriter.quoted(number.text)
    try report(parameter, "must be a whole number from 0 to \(limit), it is \(text)")
    return nil
  }
}
