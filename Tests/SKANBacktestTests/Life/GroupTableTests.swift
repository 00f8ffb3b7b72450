import Testing

@testable import SKANBacktest

@Suite struct GroupTableTests {
  @Test func `Groups beyond the limit have no index, and those that are known keep theirs`() {
    let table = GroupTable()
    func index(_ name: String) -> UInt32? {
      var name = name
      return name.withUTF8 { table.index(of: $0) }
    }
    #expect(index("") == 0)
    for number in 1...GroupTable.mostGroups { #expect(index("g\(number)") == UInt32(number)) }
    #expect(!table.overflowed)
    #expect(index("one more") == nil && table.overflowed)
    #expect(index("g7") == 7 && table.names.count == GroupTable.mostGroups + 1)
  }
}
