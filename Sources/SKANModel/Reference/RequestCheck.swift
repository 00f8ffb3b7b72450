import SKANDevice

/// The check of a conversion_value request that finds everything that is wrong with its parameters.
///
///     RequestCheck.problems(of: ConversionQuery("p=iOS&n=a", api: .v1)).map(\.parameter)  // ["a", "i", "app_v", …]
package enum RequestCheck {
  /// All problems in the order of the article "Endpoints", at most one of each parameter. The reference endpoint refuses
  /// a request with the first of them; it accepts the parameters of a request without any.
  package static func problems(of query: ConversionQuery) -> [RequestProblem] {
    var checks = ParameterChecks(api: query.api, sink: AllProblems())
    // This sink never ends the check.
    _ = try? checks.request(query, event: query.text(.eventName), isKnown: false)
    return checks.sink.problems
  }
}
