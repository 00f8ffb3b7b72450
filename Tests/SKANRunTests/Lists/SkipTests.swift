import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Steps that are skipped")
struct SkipTests {
  @Test("The reason is kept; a skipped step is checked as any other")
  func reading() throws {
    #expect(try step(#"{"op":"session","skip":"not ready yet"}"#).skip == "not ready yet")
    #expect(try step(#"{"op":"session"}"#).skip == nil)
    #expect(problems(#"{"op":"session","skip":""}"#) == ["\"skip\" must say why"])
    #expect(problems(#"{"op":"session","skip":true}"#) == ["\"skip\" must be a string, this is true"])
    #expect(problems(#"{"op":"sesion","skip":"x"}"#) == ["there is no op \"sesion\"; did you mean \"session\"?"])
    #expect(problems(#"{"op":"event","skip":"x"}"#) == ["a step with op \"event\" needs the key \"name\""])
  }

  @Test("Nothing of it happens, and no time goes by")
  func living() throws {
    let lists = ListRunner(StepRunner())
    var results: [StepResult] = []
    for line in [
      #"{"op":"register"}"#, #"{"op":"session","after":"5d","skip":"why"}"#, #"{"op":"details"}"#,
    ] {
      let step = try step(line)
      if step.skip == nil { results.append(try lists.run(step)) } else { lists.skip(step) }
    }
    #expect(results.map(\.report.outcome) == [.registered, .read])
    #expect(results[1].at == .listStart)
  }

  @Test("A phone that is first met in a skipped step keeps its place")
  func indices() throws {
    let list = [
      #"{"op":"device","device":"a","ios":"12.0","snippet":"skan3","skip":"why"}"#,
      #"{"op":"device","device":"b","ios":"16.4"}"#,
      #"{"op":"details","device":"b"}"#, #"{"op":"details","device":"a"}"#,
    ]
    let lists = ListRunner(StepRunner())
    var results: [StepResult] = []
    for line in try read(list.joined(separator: "\n")) {
      let step = try #require(line.step)
      if step.skip == nil { results.append(try lists.run(step)) } else { lists.skip(step) }
    }
    // The skipped install has not happened: its phone is the one with the defaults.
    #expect(results.map(\.device.profile.ios.text) == ["16.4", "16.4", "17.4"])
    #expect(results[2].device.profile == DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: "a")))
  }
}
