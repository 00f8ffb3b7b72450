import SKANBase
import Testing

@testable import SKANDevice

extension PostbackReadTests {
  @Test("What the second and third postback do not have")
  func later() throws {
    for index in ["1", "2"] {
      let json = try Self.with("postback-sequence-index", index, in: Self.v4)
      #expect(try Self.findings(Self.with("coarse-conversion-value", "\"low\"", in: json)) == [])
      for (key, value) in [("conversion-value", "1"), ("source-app-id", "1"), ("source-domain", "\"a.b\"")] {
        #expect(
          try Self.findings(Self.with(key, value, in: json)) == [
            "not-in-later-postback \"\(key)\" is in the first postback only, this has index 1 or 2."
          ])
      }
      #expect(
        try Self.findings(Self.with("source-identifier", "\"5239\"", in: json)) == [
          "not-in-later-postback The second and third postback have two digits of the source identifier, this has 4."
        ])
    }
  }

  @Test("What a postback that did not win does not have")
  func nonWinner() throws {
    for json in [Self.v3, Self.v4] {
      let lost = try Self.with("did-win", "false", in: json)
      #expect(try Self.findings(lost) == [])
      for key in ["conversion-value", "source-app-id"] {
        #expect(
          try Self.findings(Self.with(key, "1", in: lost)) == [
            "not-of-non-winner \"\(key)\" is not in a postback that did not win."
          ])
      }
    }
    let second = try Self.with("postback-sequence-index", "1", in: Self.with("did-win", "false", in: Self.v4))
    #expect(try Self.findings(second) == ["not-of-non-winner An ad that did not win has a first postback only."])
  }

  @Test("Without a version that is known nothing can be read")
  func version() throws {
    func problems(_ json: String) throws -> [String] {
      switch ReceivedPostback.read(try JSONReader.read(Array(json.utf8))) {
      case .success: []
      case .failure(let problems): problems.problems.map(\.message)
      }
    }
    for none in [try Self.with("version", nil, in: Self.v4), try Self.with("version", "null", in: Self.v4)] {
      #expect(
        try problems(none) == [
          "a postback needs the key \"version\"; those of version 1.0 have none, and another key of Apple's signed them"
        ])
    }
    for value in ["\"1.0\"", "\"5.0\"", "4", "\"4\"", "[]"] {
      let problems = try problems(Self.with("version", value, in: Self.v4))
      #expect(problems.count == 1)
      #expect(
        problems[0].hasPrefix("\"version\" must be one of \"4.0\", \"3.0\", \"2.2\", \"2.1\", \"2.0\", this is "))
    }
    #expect(try Self.codes(Self.with("version", "2.2", in: Self.with("did-win", nil, in: Self.v3))) == [.fieldForm])
    #expect(try problems("[1]") == ["a postback must be an object, this is an array"])
    #expect(try problems("5") == ["a postback must be an object, this is a number"])
  }

  @Test("All findings at once, in the order of their locations")
  func all() throws {
    let json = #"{"version":"4.0","app-id":"1","redownload":0,"bogus":1,"conversion-value":99,"fidelity-type":9}"#
    let findings = try Self.read(json).findings
    // Five signed fields are missing, which is told of the whole object, and that begins first.
    #expect(findings.count == 10)
    #expect(findings.map(\.range.lowerBound) == findings.map(\.range.lowerBound).sorted())
  }
}
