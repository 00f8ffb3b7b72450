import SKANDevice
import Testing

@testable import SKANBacktest

@Suite struct DeviceBeginningTests {
  /// Minutes after the first row, or nil where there is none.
  @Test(
    arguments: [
      (nil, nil, nil), (0, nil, 0), (60, nil, 0), (61, nil, nil), (nil, 0, 0), (nil, -60, -60), (nil, -61, nil),
      (nil, 60, 0), (nil, 61, nil), (61, -5, -5), (0, -5, 0),
    ] as [(Int64?, Int64?, Int64?)])
  func starts(installRow: Int64?, installed: Int64?, expected: Int64?) {
    let first = Instant.listStart
    func moment(_ minutes: Int64?) -> Instant? { minutes.map { first.later(by: .minutes($0)) } }
    let start = DeviceBeginning.start(first: first, installRow: moment(installRow), installed: moment(installed))
    #expect(start == moment(expected))
  }
}
