import Testing

@testable import SKANDevice

@Suite("The calendar")
struct CivilDateTests {
  @Test(
    "Days and dates",
    arguments: [
      (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (47_541, 2100, 3, 1),
      (-719_162, 1, 1, 1), (-719_163, 0, 12, 31), (2_932_896, 9999, 12, 31),
      (-719_528, 0, 1, 1), (-719_469, 0, 2, 29), (-719_529, -1, 12, 31),
    ] as [(Int64, Int64, Int64, Int64)])
  func dates(days: Int64, year: Int64, month: Int64, day: Int64) throws {
    let date = CivilDate(daysSince1970: days)
    #expect((date.year, date.month, date.day) == (year, month, day))
    #expect(try #require(CivilDate(year: year, month: month, day: day)).daysSince1970 == days)
  }

  @Test("Days follow one another", arguments: [-719_162, -1, 10_900, 47_000] as [Int64])
  func sequence(start: Int64) {
    for days in start..<start + 1500 {
      let (date, next) = (CivilDate(daysSince1970: days), CivilDate(daysSince1970: days + 1))
      let isSameMonth = (next.year, next.month, next.day) == (date.year, date.month, date.day + 1)
      #expect(isSameMonth || next.day == 1 && date.day >= 28, "\(date)")
    }
  }

  @Test(
    "No such date",
    arguments: [(2026, 2, 29), (2100, 2, 29), (2024, 2, 30), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)]
      as [(Int64, Int64, Int64)])
  func none(year: Int64, month: Int64, day: Int64) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }
}
