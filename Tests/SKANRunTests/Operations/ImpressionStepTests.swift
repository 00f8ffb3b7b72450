import SKANBase
import SKANDevice
import Testing

@testable import SKANRun

/// The lists in `fixtures/impressions` run the steps.
@Suite("Impressions in lists and in a device file")
struct ImpressionStepTests {
  @Test(
    "There and back",
    arguments: [
      #"{"op":"impression","ad":{"version":"4.0","network":"a","app_id":525463029,"source_identifier":"5239","source_app_id":0,"fidelity":0,"tier":3},"seconds":2.5}"#,
      #"{"op":"impression","at":"2026-01-01T00:00:00Z","ad":{"version":"3.0","network":"a","app_id":1,"campaign":5,"source_domain":"a.b","fidelity":1,"tier":0,"country":"DE"}}"#,
      #"{"op":"impression","ad":{"framework":"adattributionkit","network":"a","app_id":1,"source_identifier":"0001","publisher_id":5,"marketplace":"m","interaction":"click","tier":3}}"#,
      #"{"op":"download"}"#, #"{"op":"download","redownload":true}"#,
    ])
  func roundTrip(line: String) throws {
    #expect(StepWriter(try listStep(line)).line == line)
  }

  @Test(
    "What is wrong with a step",
    arguments: [
      (#"{"op":"impression","ad":false}"#, "the ad of an impression must be an object, this is a boolean"),
      (#"{"op":"impression","ad":{"won":true}}"#, "the ad of an impression has no key \"won\""),
      (#"{"op":"impression","ad":{"lost":[]}}"#, "the ad of an impression has no key \"lost\""),
      (#"{"op":"impression","ad":{"redownload":true}}"#, "the ad of an impression has no key \"redownload\""),
      (#"{"op":"impression","ad":{"network":""}}"#, "\"network\" must not be empty"),
      (#"{"op":"impression","ad":{"framework":"adattributionkit","network":""}}"#, "\"network\" must not be empty"),
      (
        #"{"op":"impression","ad":{"interaction":"view"}}"#,
        "\"interaction\" goes with \"framework\": \"adattributionkit\""
      ),
      (
        #"{"op":"impression","ad":{"framework":"adattributionkit","fidelity":0}}"#,
        "\"fidelity\" belongs to SKAdNetwork"
      ),
      (#"{"op":"impression","ad":{"fidelity":0},"seconds":-1}"#, "\"seconds\" must be from 0 to 86400"),
      (#"{"op":"impression","ad":{"fidelity":0},"seconds":86400}"#, "\"seconds\" must be from 0 to 86400"),
      (#"{"op":"impression","ad":{"fidelity":0},"seconds":"3s"}"#, "\"seconds\" must be a number, this is \"3s\""),
      (#"{"op":"impression","seconds":3}"#, "\"seconds\" goes with a view, and the ad is a click"),
      (#"{"op":"impression","network":"a"}"#, "a step with op \"impression\" has no key \"network\""),
      (#"{"op":"download","redownload":1}"#, "\"redownload\" must be true or false, this is 1"),
      (#"{"op":"download","ad":{}}"#, "a step with op \"download\" has no key \"ad\""),
    ])
  func problems(line: String, message: String) {
    do {
      _ = try listStep(line)
      Issue.record("no problem")
    } catch let problems as SourceProblems {
      #expect(problems.problems.count == 1 && problems.problems[0].message.hasPrefix(message), "\(problems.problems)")
    } catch {
      Issue.record(error)
    }
  }

  private static let impression =
    #"{"at":5,"ad":{"framework":"adattributionkit","network":"n","interaction":"view"},"seconds":2}"#

  @Test(
    "What is wrong with the impressions of a device file",
    arguments: [
      ("5", "the impressions must be an object, this is a number"), ("{}", "the impressions need the key \"pending\""),
      (#"{"pending":{}}"#, "\"pending\" must be an array, this is an object"),
      (#"{"pending":[5]}"#, "an impression must be an object, this is a number"),
      (#"{"pending":[{"ad":{}}]}"#, "an impression needs the key \"at\""),
      (#"{"pending":[{"at":5}]}"#, "an impression needs the key \"ad\""),
      (#"{"pending":[{"at":5,"ad":{"won":true}}]}"#, "the ad of an impression has no key \"won\""),
      (#"{"pending":[{"at":5,"ad":{},"seconds":3}]}"#, "\"seconds\" goes with a view, and the ad is a click"),
      (#"{"pending":[{"at":5,"ad":{},"rule":"won"}]}"#, "an impression has no key \"rule\""),
      (#"{"pending":[],"attribution":5}"#, "an attribution must be an object, this is a number"),
      (#"{"pending":[],"attribution":{"impressions":[]}}"#, "an attribution needs the key \"at\""),
      (
        #"{"pending":[],"attribution":{"at":5,"impressions":[{"at":5,"ad":{},"rule":"one","why":""}]}}"#,
        "\"rule\" must be one of \"won\""
      ),
      (
        #"{"pending":[],"attribution":{"at":5,"impressions":[{"at":5,"ad":{},"rule":"won"}]}}"#,
        "an impression needs the key \"why\""
      ),
      (
        #"{"pending":[],"attribution":{"at":5,"impressions":[{"at":5,"ad":{},"rule":"won","why":""},{"at":5,"ad":{},"rule":"won","why":""}]}}"#,
        "one impression wins an install"
      ),
      (#"{"pending":[],"cooldown":{"until":5,"setting":"cooldown"}}"#, "\"setting\" must be one of"),
      (#"{"pending":[],"cooldown":{"setting":"country"}}"#, "a cool-down needs the key \"until\""),
    ])
  func deviceFiles(impressions: String, message: String) {
    let problems = deviceFileProblems(#"{"format":3,"profile":{},"kept":{},"impressions":\#(impressions)}"#)
    #expect(problems.count == 1 && problems[0].message.hasPrefix(message), "\(problems)")
  }

  @Test("A device file keeps the impressions, before and after the install")
  func deviceFile() throws {
    var phone = Phone(device: Device(DeviceProfile(idfv: nil)), clock: PhoneClock(isVirtual: true))
    let runner = StepRunner()
    for line in [
      #"{"op":"impression","at":"2026-01-01T00:00:00Z","ad":{"network":"a","fidelity":0},"seconds":3}"#,
      #"{"op":"impression","at":"+1h","ad":{"network":"b"}}"#, #"{"op":"download","at":"+2d"}"#,
      #"{"op":"register","at":"+3d"}"#, #"{"op":"impression","at":"+4d"}"#, #"{"op":"download","at":"+5d"}"#,
    ] {
      _ = try runner.run(try listStep(line), on: &phone)
      var file = DeviceFile(device: phone.device, clock: phone.clock)
      file.phone = phone
      #expect(try DeviceFile(Array(file.text.utf8)).phone.device == phone.device)
    }
    #expect(phone.device.impressions?.race?.winner?.impression.ad.network == "com.example")
    #expect(phone.device.profile.ad?.redownload == true)
  }
}
