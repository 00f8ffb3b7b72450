import SKANBase
import SKANHTTP
import SKANRun
import SKANSigning
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("doctor")
struct DoctorCommandTests {
  private func world(_ set: (inout World.State) -> Void = { _ in }) -> World {
    let world = World()
    world.set {
      $0.signatures = .platform()
      set(&$0)
    }
    return world
  }

  /// Status and message by the names of the checks.
  private func checks(_ result: Consequences) throws -> [String: String] {
    let object = try JSONReader.read(Array(result.out.utf8)).value
    guard case .array(let items)? = object["checks"] else { return [:] }
    return items.reduce(into: [:]) { checks, item in
      guard case .string(let name)? = item["check"], case .string(let status)? = item["status"],
        case .string(let message)? = item["message"]
      else { return }
      checks[name] = "\(status): \(message)"
    }
  }

  @Test("A machine that is well: 0, and no network")
  func well() throws {
    let world = world()
    let result = world.run("doctor --json")
    #expect(result.code == .ok && result.changes == [] && world.takeLog().allSatisfy { !$0.hasPrefix("send") })
    let checks = try checks(result)
    #expect(
      checks == [
        "writing": "ok: skan-state.json can be written",
        "device file": "note: skan-state.json is not there yet; 'skan register' makes it",
        "project file": "note: is absent", "variables": "ok: no SKAN_… variable is set",
        "SDK key": "note: SKAN_SDK_KEY is not set; only production needs it",
        "signatures": "ok: can be made and checked", "clock": "ok: it is 2026-06-01T12:00:00Z",
      ])
    #expect(world.run("doctor").out.hasPrefix("ok    writing       skan-state.json can be written\nnote  device file"))
  }

  @Test("An endpoint in this process needs no network; blanks around a key are not of it")
  func embedded() throws {
    let world = world { $0.variables = ["SKAN_SDK_KEY": " key-key\n"] }
    let checks = try checks(world.run("doctor --json --endpoint embedded"))
    #expect(checks["endpoint"] == "ok: embedded answers in process")
    #expect(checks["SDK key"] == "note: SKAN_SDK_KEY has blanks or lines around the key, which are ignored")
  }

  @Test("What is wrong: 1, and the rest is checked all the same")
  func wrong() throws {
    let world = World {
      $0.variables = ["SKAN_SDK_KEY": "  ", "SKAN_ENDPONT": "x"]
      $0.projectFolders = [""]
      $0.now = .init(microseconds: 0)
      $0.failures["check skan-state.json"] = .cannotWrite(file: "skan-state.json", reason: "read-only")
    }
    world["skan.json"] = "{\"modle\":1}"
    world["skan-state.json"] = "broken"
    let result = world.run("doctor --json")
    #expect(result.code == .expectationFailed)
    let checks = try checks(result)
    #expect(checks.values.allSatisfy { $0.hasPrefix("wrong: ") }, "\(checks)")
    #expect(checks["writing"] == "wrong: cannot write skan-state.json: read-only")
    #expect(checks["project file"]?.contains("did you mean \"model\"?") ?? false)
    #expect(checks["variables"]?.contains("did you mean SKAN_ENDPOINT?") ?? false)
    #expect(checks["clock"]?.contains("1970-01-01T00:00:00Z") ?? false)
    #expect(checks["signatures"]?.contains("OpenSSL") ?? false)
  }

  @Test("The SDK key is never shown, wherever it stands")
  func key() throws {
    let world = world {
      $0.variables = ["SKAN_SDK_KEY": "K3Y-SECRET"]
      $0.projectFolders = [""]
    }
    world["skan.json"] = #"{"endpoint":"http://x/K3Y-SECRET"}"#
    world["Info.plist"] = plist("<key>NSAdvertisingAttributionReportEndpoint</key><string>K3Y-SECRET</string>")
    let result = world.run("doctor --json --plist Info.plist")
    #expect(!result.out.contains("K3Y-SECRET"), "\(result)")
    #expect(result.err == (result.code == .ok ? "" : result.code.line), "\(result)")
    #expect(try checks(result)["SDK key"] == "ok: SKAN_SDK_KEY is set")
  }

  @Test("The property list is an argument, too, and stands there once")
  func argument() {
    let world = world()
    world["Info.plist"] = plist("<key>NSAdvertisingAttributionReportEndpoint</key><string>https:</string>")
    let run = world.run("doctor Info.plist")
    #expect(run.code == .expectationFailed && run.out.contains(" is cut at //, "), "\(run)")
    #expect(run == world.run("doctor --plist Info.plist"))
    #expect(world.run("doctor none.plist").code == .noInput)
    #expect(world.run("doctor Info.plist --plist Info.plist").code == .usage)
  }

  @Test("The endpoint is asked only with --endpoint")
  func endpoint() throws {
    let world = world { $0.variables["SKAN_ENDPOINT"] = "http://elsewhere" }
    world.answer("{}")
    let well = world.run("doctor --endpoint http://localhost:8080")
    #expect(well.code == .ok && world.takeLog().filter { $0 == "send" }.count == 1)
    _ = world.run("doctor")
    #expect(!world.takeLog().contains("send"))
    world.set { $0.network = { _, _ in .failure(.noSuchHost) } }
    let gone = world.run("doctor --endpoint http://localhost:8080")
    #expect(gone.code == .expectationFailed && gone.out.contains("wrong  endpoint"), "\(gone)")
  }

  @Test(
    "A JSON object is an endpoint's answer, also a refusal; a failure, a page and an array are none",
    arguments: [
      (
        #"{"status":"error"}"#, 200,
        "ok: A answers with status 200 and a JSON object to a request that is not from a "
          + "phone"
      ),
      ("{}", 400, "ok: A answers with status 400 and a JSON object to a request that is not from a phone"),
      ("{}", 499, "ok: A answers with status 499 and a JSON object to a request that is not from a phone"),
      ("{}", 500, "wrong: A answers with status 500: the server fails; read its log"),
      ("<html>", 503, "wrong: A answers with status 503: the server fails; read its log"),
      ("", 200, "note: A answers with status 200 and without a body; a phone reads a JSON object"),
      (
        "", 404,
        "wrong: A answers with status 404 and nothing, where a phone reads a JSON object; is it the right address?"
      ),
      (
        "<html>\nhello", 200,
        #"wrong: A answers with status 200 and "<html>\nhello", where a phone reads a JSON object; is it the right address?"#
      ),
      (
        "[1]", 200,
        #"wrong: A answers with status 200 and "[1]", where a phone reads a JSON object; is it the right address?"#
      ),
    ])
  func answer(body: String, status: Int, message: String) throws {
    let world = world()
    world.answer(body, status: status)
    let result = world.run("doctor --json --endpoint http://localhost:8080")
    let said = try checks(result)["endpoint"]
    #expect(said == message.replacing("A answers", with: "http://localhost:8080/api/v2/conversion_value answers"))
    #expect(result.code == (message.hasPrefix("wrong") ? .expectationFailed : .ok))
  }

  private func plist(_ members: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(members)</dict></plist>"
  }

  @Test("An Info.plist")
  func infoPlist() throws {
    let world = world()
    world["Info.plist"] = plist(
      """
      <key>NSAdvertisingAttributionReportEndpoint</key><string>https://example.com</string>
      <key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict><key>my-mac.local</key>
      <dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict></dict></dict>
      <key>NSLocalNetworkUsageDescription</key><string>For tests.</string>
      """)
    world.answer("{}")
    let result = world.run("doctor --json --plist Info.plist --endpoint http://my-mac.local:8787")
    #expect(result.code == .ok, "\(result)")
    let checks = try checks(result)
    #expect(checks["NSAppTransportSecurity"] == "ok: plain HTTP to my-mac.local is let through")
    #expect(
      checks["NSAdvertisingAttributionReportEndpoint"]
        == "ok: copies of postbacks go to https://example.com/.well-known/skadnetwork/report-attribution/")
    world["Info.plist"] = "hello"
    #expect(world.run("doctor --plist Info.plist").out.contains("wrong  Info.plist"))
    #expect(world.run("doctor --plist gone.plist").code == .noInput)
  }

  @Test(
    "Wrong command lines",
    arguments: [
      ("doctor x y", "one argument too many: \"y\""),
      ("doctor --endpoint localhost:80", "did you mean http://localhost:80?"),
      ("doctor --plst a", "'skan doctor' has no option --plst; did you mean --plist?"),
      ("doctor --plist=", "--plist must be a file"), ("doctor --endpoint", "--endpoint needs a value"),
    ])
  func usage(line: String, message: String) {
    let result = World().run(line)
    #expect(result.code == .usage && result.err.contains(message), "\(result)")
  }
}
