import Testing

@testable import SKANDevice

/// What the app's handler finds in the store; see the article "What the app keeps".
@Suite("getSkanDetails inside the handler")
struct HandlerDetailsTests {
  private static let records: UpdateOptions = {
    var options = UpdateOptions()
    options.recordsKeptInHandler = true
    return options
  }()

  @Test(
    "SKAN 4 runs the handler before it keeps the values, also after an error of Apple's",
    arguments: [SnippetVersion.skan4, .skan4Beta], [nil, 10 as Int64?])
  func skan4(snippet: SnippetVersion, frameworkError: Int64?) throws {
    var phone = Device.phone(snippet)
    var options = Self.records
    options.frameworkError = frameworkError
    let before = phone.kept
    let report = phone.update(#"{"conversion_value":5,"skan_updated_coarse_value":1}"#, options: options)
    #expect(report.handler != nil && report.keptInHandler == before)
    #expect(phone.kept.fineValue == .integer(5))
  }

  @Test("SKAN 4 has set the first call of an install that was not registered before")
  func unregistered() throws {
    var phone = Device.phone(registered: false)
    // The clock of 1970 is the one by which an unregistered install has an open window.
    phone.kept.firstCall = nil
    let report = phone.finishUpdate(
      SnippetAnswer(.response(status: 200, body: Array(#"{"conversion_value":5}"#.utf8))), at: moment(60),
      options: Self.records)
    #expect(report.keptInHandler?.firstCall == start + 60 && report.keptInHandler?.fineValue == nil)
  }

  @Test("SKAN 3 keeps the value first")
  func skan3() throws {
    var phone = Device.phone(.skan3)
    let report = phone.update(#"{"conversion_value":5}"#, options: Self.records)
    #expect(report.handler == .skan3Value(5))
    #expect(report.keptInHandler == phone.kept && phone.kept.skan3Value == 5)
  }

  @Test(
    "An error that is handed over leaves the store as it was",
    arguments: [SnippetVersion.skan4, .skan3], ["", #"{"status":"error","reason":"r"}"#])
  func errors(snippet: SnippetVersion, body: String) throws {
    var phone = Device.phone(snippet)
    let report = phone.update(body, options: Self.records)
    #expect(report.handler != nil && report.keptInHandler == phone.kept)
  }

  @Test("Without a handler, without its call, and unless it is asked for there is nothing")
  func nothing() throws {
    var phone = Device.phone()
    var options = Self.records
    options.hasHandler = false
    #expect(phone.update(#"{"conversion_value":5}"#, options: options).keptInHandler == nil)
    #expect(phone.update(#"{"status":"ok"}"#, options: Self.records).keptInHandler == nil)
    #expect(phone.update(#"{"conversion_value":6}"#).keptInHandler == nil)
  }
}
