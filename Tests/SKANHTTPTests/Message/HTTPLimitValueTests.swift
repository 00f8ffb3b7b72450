import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANHTTP

@Suite("Limits and numbers of HTTP that others rely on")
struct HTTPLimitValueTests {
  @Test("They are what the manual says") func theyWhat() {
    let limits = HTTPLimits()
    #expect(limits.requestLine == 16_384 && limits.head == 32_768 && limits.fields == 100 && limits.body == 1_048_576)
    #expect(limits.connections == 1000 && limits.buffered == 67_108_864)
    #expect(limits.headSeconds == 10 && limits.bodySeconds == 30 && limits.idleSeconds == 60)
    #expect(limits.writeSeconds == 10 && limits.lingerSeconds == 1 && limits.stopSeconds == 5)
    #expect(limits.delaySeconds == 600)
    #expect(HTTPAnswerLimits.defaultBytes == 1_048_576 && HTTPAnswerLimits.headBytes == 262_144)
    #expect(HelperProtocol.memoryExitCode == 3 && HelperProtocol.versionExitCode == 4 && Frame.headLength == 8)
  }

  @Test(
    "A time limit stays in the range of a clock",
    arguments: [
      (0.5, 0.5), (0, 0), (-1, 0), (.nan, 0), (1_000_000, 1_000_000), (1_000_001, 1_000_000), (.infinity, 1_000_000),
    ] as [(Double, Double)])
  func timeLimit(seconds: Double, bounded: Double) {
    #expect(HTTPAnswerLimits(seconds: seconds).boundedSeconds == bounded)
  }
}
