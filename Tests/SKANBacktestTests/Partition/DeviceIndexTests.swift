import Testing

@testable import SKANBacktest

@Suite struct DeviceIndexTests {
  @Test func `Devices keep the index with which they came, whatever number of them comes`() {
    var index = DeviceIndex()
    let keys = (0..<5000).map { DeviceKey("device-\($0)") }
    for round in 1...2 {
      for (expected, key) in keys.enumerated() { #expect(index.insert(key) == expected, "round \(round)") }
    }
    #expect(index.keys == keys)
  }
}
