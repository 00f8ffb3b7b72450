import SKANBase
import SKANHTTP
import SKANRun
import SKANSigning
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The host that an app under test asks")
struct TestedHostTests {
  @Test(
    "Whether it is in the local network, and whether it is an address",
    arguments: [
      ("localhost", false, false), ("127.0.0.1", false, true), ("::1", false, true), ("10.1.2.3", true, true),
      ("192.168.0.7", true, true), ("192.169.0.7", false, true), ("172.16.0.1", true, true),
      ("172.15.255.255", false, true),
      ("172.31.255.1", true, true), ("172.32.0.1", false, true), ("169.254.3.4", true, true),
      ("172.31.255.255", true, true),
      ("169.253.3.4", false, true), ("8.8.8.8", false, true), ("fe80::1", false, true), ("mac.local", true, false),
      ("build-server", true, false), ("skan.example.com", false, false), ("10.1.2", false, true),
    ])
  func local(name: String, isLocal: Bool, isAddress: Bool) {
    let host = TestedHost(name: name, isPlain: true)
    #expect(host.isLocal == isLocal && host.isAddress == isAddress)
  }

  @Test(
    "Of an endpoint",
    arguments: [
      ("embedded", nil), ("http://10.0.0.1:8787", TestedHost(name: "10.0.0.1", isPlain: true)),
      ("https://example.com/x", TestedHost(name: "example.com", isPlain: false)),
      ("production", TestedHost(name: "sdk-api-v1.singular.net", isPlain: false)),
    ] as [(String, TestedHost?)])
  func endpoint(text: String, host: TestedHost?) throws {
    let words = ["--endpoint", text]
    let arguments = try ParsedArguments(words, for: DoctorCommand.spec, of: .skan) { _ in nil }
    let invocation = Invocation(DoctorCommand.spec, arguments, World().environment)
    #expect(try DoctorCommand.Options(OptionReader(invocation)).endpoint.flatMap { TestedHost($0) } == host)
  }
}
