import Foundation
import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANBacktest
@testable import SKANRun
@testable import SKANSystem

@Suite struct EventPartitionsTests {
  struct Record: Equatable {
    var time: Int64
    var payload: [UInt8]
  }

  /// Everything that comes out, by device.
  private func read(_ partitions: EventPartitions) throws -> [DeviceKey: [Record]] {
    var found: [DeviceKey: [Record]] = [:]
    for bucket in partitions.buckets {
      var last: DeviceKey?
      try partitions.read(bucket).forEachDevice { key, records in
        #expect(last.map { $0 < key } ?? true)
        #expect(found[key] == nil)
        last = key
        var all: [Record] = []
        records.forEach { time, reader in
          all.append(Record(time: time.microseconds, payload: Array(reader.slice(reader.rest))))
        }
        #expect(all.count == records.count)
        found[key] = all
      }
    }
    return found
  }

  @Test(
    "each device's records come in the order of time, those of one time as they were added",
    arguments: [64, 1 << 12, 1 << 30])
  func eachDevice(limit: Int) throws {
    var random = SplitMix64(seed: 7)
    let partitions = EventPartitions(limit: limit)
    var expected: [DeviceKey: [(Int64, Int, Record)]] = [:]
    for block in 0..<20 {
      let part = PartitionedBlock()
      for row in 0..<500 {
        let key = DeviceKey("device-\(random.next(through: 700))")
        let time = Int64(random.next(through: 30))
        let payload = Array("\(block).\(row)".utf8) + [UInt8](repeating: 1, count: Int(random.next(through: 90)))
        part.append(key, at: Instant(microseconds: time)) { $0.putPlain(payload) }
        expected[key, default: []].append((time, block * 500 + row, Record(time: time, payload: payload)))
      }
      try partitions.append(part)
    }
    let sorted = expected.mapValues { $0.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2) }
    #expect(try read(partitions) == sorted)
  }

  @Test("no record is no device") func noRecord() throws {
    #expect(try read(EventPartitions()).isEmpty)
  }

  @Test("a key depends on every byte of an identifier") func keyDepends() {
    let texts = ["", "a", "b", "ab", "ba", "12345678", "123456789", "12345678\u{0}", "x2345678", "1234567x"]
    #expect(Set(texts.map { DeviceKey($0) }).count == texts.count)
    #expect(Set(texts.map { DeviceKey($0).low }).count == texts.count)
    // Zeros in front of the last bytes: only the length is another.
    #expect(DeviceKey("a") != DeviceKey("\u{0}a"))
  }

  @Test("A device with more records than fit into a piece has them all", arguments: [64, 1 << 30])
  func deviceWith(limit: Int) throws {
    let partitions = EventPartitions(limit: limit)
    let key = DeviceKey("one")
    for block in 0..<40 {
      let part = PartitionedBlock()
      for row in 0..<50 {
        part.append(key, at: Instant(microseconds: Int64(block * 50 + row))) {
          $0.putPlain([UInt8](repeating: UInt8(block), count: 90))
        }
      }
      try partitions.append(part)
    }
    let records = try #require(try read(partitions)[key])
    #expect(records.map(\.time) == Array(0..<2000))
    #expect(records.allSatisfy { $0.payload == [UInt8](repeating: UInt8($0.time / 50), count: 90) })
  }

  /// Records of one device and of a thousand others, most of them in the file.
  private func filled(_ partitions: EventPartitions) throws {
    for block in 0..<2 {
      let part = PartitionedBlock()
      for row in block * 500..<block * 500 + 500 {
        for key in ["device-\(row)", "one"] {
          part.append(DeviceKey(key), at: Instant(microseconds: Int64(row))) {
            $0.putPlain([UInt8](repeating: 1, count: 100))
          }
        }
      }
      try partitions.append(part)
    }
  }

  private func count(_ partitions: EventPartitions, jobs: Int) throws(EventPartitions.ReadFailure) -> Int {
    try partitions.reduce(
      into: 0, jobs: jobs, isInterrupted: { false }, makeWorker: { 0 },
      visit: { found, _, records in found += records.count }, add: { $0 += $1 })
  }

  @Test(
    "A temporary file that cannot be read again is an error in every thread, and no smaller number", arguments: [1, 3])
  func unreadable(jobs: Int) throws {
    let partitions = EventPartitions(limit: 64)
    try filled(partitions)
    #expect(try count(partitions, jobs: jobs) == 2000)
    // What a disk loses, or another process.
    let descriptor = try #require(partitions.spool.descriptor)
    #expect(ftruncate(descriptor, 0) == 0)
    let error = #expect(throws: EventPartitions.ReadFailure.self) { try count(partitions, jobs: jobs) }
    guard case .file(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.operation == .read && failure.errno == .inputOutput)
  }

  @Test("A device with more records than there may be is found; as many as there may be are no error")
  func tooMany() throws {
    for (most, isTooMany) in [(1000, false), (999, true)] {
      let partitions = EventPartitions(limit: 64, mostRecords: most)
      try filled(partitions)
      if isTooMany {
        #expect(throws: EventPartitions.ReadFailure.tooManyRecords(of: DeviceKey("one"), count: 1000)) {
          try count(partitions, jobs: 2)
        }
      } else {
        #expect(try count(partitions, jobs: 2) == 2000)
      }
    }
  }
}

@Suite struct DeviceIndexTests {
  @Test("Devices keep the index with which they came, whatever number of them comes") func devicesKeep() {
    var index = DeviceIndex()
    let keys = (0..<5000).map { DeviceKey("device-\($0)") }
    for round in 1...2 {
      for (expected, key) in keys.enumerated() { #expect(index.insert(key) == expected, "round \(round)") }
    }
    #expect(index.keys == keys)
  }
}
