import Testing

@testable import SKANDevice

@Suite("Conversion windows")
struct ConversionWindowTests {
  @Test(
    "By whole seconds since the first call",
    arguments: [
      (Int64.min, .p0), (-3_024_000, .p0), (-1, .p0), (0, .p0), (1, .p0), (172_799, .p0),
      (172_800, .p1), (172_801, .p1), (604_799, .p1),
      (604_800, .p2), (604_801, .p2), (3_023_999, .p2),
      (3_024_000, nil), (3_024_001, nil), (1_767_225_600, nil), (Int64.max, nil),
    ] as [(Int64, ConversionWindow?)])
  func borders(seconds: Int64, expected: ConversionWindow?) {
    #expect(ConversionWindow.at(secondsSinceFirstCall: seconds) == expected)
  }

  @Test("Ends in days", arguments: [(.p0, 2), (.p1, 7), (.p2, 35)] as [(ConversionWindow, Int64)])
  func ends(window: ConversionWindow, days: Int64) {
    #expect(window.end == days * day)
  }

  @Test("A phone's window, fractions cut off before the subtraction", arguments: [SnippetVersion.skan4, .skan4Beta])
  func ofPhone(snippet: SnippetVersion) {
    var device = Device.phone(snippet, registered: false)
    _ = device.register(at: moment(0.9))
    let expected: [(Double, ConversionWindow?)] = [
      (-1e9, .p0), (0, .p0), (172_799.999_999, .p0), (172_800, .p1), (172_800.5, .p1), (604_799.5, .p1), (604_800, .p2),
      (3_023_999.999_999, .p2), (3_024_000, nil), (1e9, nil),
    ]
    for (seconds, window) in expected {
      #expect(device.window(at: moment(seconds)) == window, "\(seconds)")
    }
  }

  @Test("SKAN 3: 24 hours from the last call")
  func skan3() {
    var device = Device.phone(.skan3)
    let expected: [(Double, ConversionWindow?)] = [
      (-1e9, .p0), (0, .p0), (86_399, .p0), (86_399.999_999, .p0), (86_400, nil), (1e9, nil),
    ]
    for (seconds, window) in expected {
      #expect(device.window(at: moment(seconds)) == window, "\(seconds)")
    }
    _ = device.update(good("1"), at: 86_399)
    #expect(device.window(at: moment(172_798)) == .p0)
    #expect(device.window(at: moment(172_799)) == nil)
    // An answer that is ignored does not move the window.
    _ = device.update(good("1"), at: 172_798)
    #expect(device.window(at: moment(172_799)) == nil)
  }

  @Test("Never registered counts as over, but at the beginning of 1970", arguments: SnippetVersion.allCases)
  func unregistered(snippet: SnippetVersion) {
    let device = Device.phone(snippet, registered: false)
    #expect(device.window(at: moment(0)) == nil)
    #expect(device.window(at: Instant(microseconds: 60_000_000)) == .p0)
    #expect(device.window(at: Instant(microseconds: -60_000_000)) == .p0)
    #expect(device.window(at: Instant(microseconds: 40 * day * 1_000_000)) == nil)
    #expect(!device.isRegistered)
  }

  @Test("One value for each window")
  func perWindow() {
    var values = PerWindow(repeating: 0)
    values[.p1] = 1
    #expect(ConversionWindow.allCases.map { values[$0] } == [0, 1, 0])
    values[.p0] = 5
    values[.p2] = 7
    #expect(ConversionWindow.allCases.map { values[$0] } == [5, 1, 7])
    #expect(values != PerWindow(repeating: 0))
  }
}
