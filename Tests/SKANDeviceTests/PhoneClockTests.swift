import Testing

@testable import SKANDevice

@Suite("The phone's clock")
struct PhoneClockTests {
  static let wall = moment(1000)

  @Test(
    "Where a step begins on a phone that lived from 10 to 20",
    arguments: [
      (.at(moment(5)), 5, 5), (.sinceFirst(TimeSpan(seconds: 7)), 17, 17), (.after(TimeSpan(seconds: 7)), 27, 27),
      (.now, 1000, 1000), (nil, 1000, 20), (.sinceFirst(.zero), 10, 10), (.after(TimeSpan(seconds: -3)), 17, 17),
    ] as [(TimeSpec?, Int64, Int64)])
  func lived(time: TimeSpec?, real: Int64, virtual: Int64) {
    for (isVirtual, expected) in [(false, real), (true, virtual)] {
      let clock = PhoneClock(first: moment(10), hasGivenTime: true, end: moment(20), isVirtual: isVirtual)
      #expect(clock.beginning(time, now: Self.wall) == moment(expected), "virtual: \(isVirtual)")
    }
  }

  @Test(
    "Where the first step of all begins",
    arguments: [
      (.at(moment(5)), 5), (.sinceFirst(TimeSpan(seconds: 7)), 1007), (.after(TimeSpan(seconds: 7)), 1007),
      (.now, 1000),
      (nil, 1000),
    ] as [(TimeSpec?, Int64)])
  func first(time: TimeSpec?, expected: Int64) {
    for isVirtual in [false, true] {
      #expect(PhoneClock(isVirtual: isVirtual).beginning(time, now: Self.wall) == moment(expected))
    }
  }

  @Test("Out of the years 1 to 9999")
  func outOfRange() {
    let clock = PhoneClock(first: moment(0), hasGivenTime: true, end: moment(0), isVirtual: true)
    let span = TimeSpan(microseconds: .max)
    #expect(clock.beginning(.sinceFirst(span), now: Self.wall) == nil)
    #expect(clock.beginning(.after(span), now: Self.wall) == nil)
  }

  @Test(
    "A given time makes the clock virtual, `now` makes it run again",
    arguments: [
      (nil, false, false), (nil, true, true), (.now, true, false), (.now, false, false), (.at(moment(1)), false, true),
      (.after(.zero), false, true), (.sinceFirst(.zero), false, true),
    ] as [(TimeSpec?, Bool, Bool)])
  func virtual(time: TimeSpec?, before: Bool, after: Bool) {
    var clock = PhoneClock(isVirtual: before)
    clock.record(time, beginning: moment(1), end: moment(2))
    #expect(clock.isVirtual == after)
    #expect(clock.end == moment(2))
    clock.runWithSteps()
    #expect(clock.isVirtual)
  }

  @Test("`+` counts from the first step that was given a time, else from the first step")
  func sinceFirst() {
    var clock = PhoneClock(isVirtual: true)
    let hour = TimeSpec.sinceFirst(TimeSpan(seconds: 3600))
    clock.record(nil, beginning: moment(0), end: moment(5))
    #expect(clock.beginning(hour, now: Self.wall) == moment(3600))
    #expect(!clock.hasGivenTime)
    clock.record(.at(moment(100)), beginning: moment(100), end: moment(100))
    #expect(clock.beginning(hour, now: Self.wall) == moment(3700))
    #expect(clock.hasGivenTime)
    clock.record(.at(moment(500)), beginning: moment(500), end: moment(500))
    #expect(clock.beginning(hour, now: Self.wall) == moment(3700))
    #expect(clock.first == moment(100))
  }

  @Test("`+2d` as the first time of all leaves the beginning where it is")
  func plusFirst() {
    var clock = PhoneClock(isVirtual: true)
    let twoDays = TimeSpan(seconds: 2 * day)
    clock.record(.sinceFirst(twoDays), beginning: moment(2 * day), end: moment(2 * day))
    #expect(clock.first == moment(0))
    #expect(clock.beginning(.sinceFirst(twoDays), now: moment(0)) == moment(2 * day))
  }

  @Test(
    "Going back", arguments: [(19, 1.0), (20, nil), (21, nil), (-100, 120)] as [(Int64, Double?)])
  func back(seconds: Int64, by: Double?) {
    let clock = PhoneClock(first: moment(10), hasGivenTime: true, end: moment(20), isVirtual: true)
    #expect(clock.wentBack(to: moment(seconds)) == by.flatMap { TimeSpan(seconds: $0) })
  }

  @Test("A fresh install begins its own count, the wall's clock goes on")
  func fresh() {
    var clock = PhoneClock(first: moment(10), hasGivenTime: true, end: moment(20), isVirtual: true)
    clock.startAnew()
    #expect(clock.first == nil)
    #expect(!clock.hasGivenTime)
    #expect(clock.beginning(nil, now: moment(0)) == moment(20))
    #expect(clock.beginning(.after(TimeSpan(seconds: 1)), now: moment(0)) == moment(21))
    #expect(clock.wentBack(to: moment(0)) == nil)
    clock.record(.at(moment(5)), beginning: moment(5), end: moment(6))
    #expect(clock.first == moment(5))
    #expect(clock.wentBack(to: moment(0)) == TimeSpan(seconds: 6 as Int64))
  }
}
