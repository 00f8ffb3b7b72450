import Foundation
import SKANBase
import SKANCommand
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANCommandLine

/// The client of conversion_value and the app's model, which a server knows.
@Suite("serve --check: what a server must send")
struct ServeClientTests {
  private static let query =
    "/api/v2/conversion_value?a=KEY&p=iOS&v=16.1&i=com.example.app&app_v=1&n=level&skan_current_conversion_value=0"
    + "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&skan_first_call_to_skadnetwork_timestamp=1767225600"
    + "&skan_last_call_to_skadnetwork_timestamp=1767225600"

  @Test(
    "The totals that the model counts, and the coarse values",
    arguments: [
      ("--client server", "", ["server-parameter-missing", "server-parameter-missing", "total-missing"]),
      ("--client server", "&p1_coarse=0&p2_coarse=0", ["total-missing"]),
      ("--client server", "&p1_coarse=0&p2_coarse=0&skan_total_revenue_by_currency=%7B%22USD%22:1%7D", []),
      ("--client snippet", "", []), ("", "", []),
    ])
  func totals(client: String, more: String, rules: [String]) throws {
    let workspace = try Workspace()
    let model = Checkout.fixtures.appending(path: "models/iap-revenue.json").path
    let served = try Served(
      ["--check", "--once", "1", "--model", model] + client.split(separator: " ").map(String.init), in: workspace)
    let answer = try served.exchange(
      Self.query + more, headers: [(ReferenceEndpoint.deviceTimeHeader, "1767225601")]
    ).response
    let explanation = answer.headers["X-SKAN-Explanation"] ?? ""
    let named = explanation.split(separator: " ").filter {
      $0.hasPrefix("[") && $0.hasSuffix("]") || $0.hasSuffix("]:")
    }
    #expect(named.map { String($0.dropFirst().prefix { $0 != "]" }) } == rules, "\(explanation)")
    let end = served.end()
    #expect(end.code == (rules.isEmpty ? 0 : 1), "\(end.err)")
    // Without it nothing is known of a client that asked once.
    #expect(end.err.contains("(--client): server-parameter-missing, total-missing, window-too-early") == client.isEmpty)
  }
}
