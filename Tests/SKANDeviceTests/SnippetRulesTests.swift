import Testing

@testable import SKANDevice

@Suite("What a version of the snippet decides")
struct SnippetRulesTests {
  @Test("Sums: single precision, or double precision after the old sum is narrowed")
  func sums() {
    let (old, amount) = (0.1, 0.7)
    #expect(SnippetRules.Sums.single.adding(amount, to: old) == Double(Float(0.1) + Float(0.7)))
    #expect(SnippetRules.Sums.double.adding(amount, to: old) == Double(Float(0.1)) + 0.7)
    #expect(SnippetVersion.allCases.map(\.rules.sums) == [.single, .single, .double])
  }

  @Test("The needed iOS of register, of updates and of answers")
  func neededIOS() {
    let rules = SnippetVersion.allCases.map(\.rules)
    #expect(rules.map(\.registrationMinimum.text) == ["15.4", "16.1", "11.3"])
    #expect(rules.map(\.updateMinimum?.text) == [nil, nil, "14.0"])
    #expect(rules.map(\.answerMinimum?.text) == ["15.4", "15.4", nil])
  }

  @Test("Only entries that are kept as they were answered can be poisoned", arguments: SnippetVersion.allCases)
  func poison(snippet: SnippetVersion) {
    let rules = snippet.rules
    #expect(rules.api.entries.contains(where: \.kind.isAsAnswered) == rules.keepsAnyType)
    #expect(rules.api.entries.contains { $0.kind == .coarse || $0.kind == .lock } == rules.hasCoarseValues)
    #expect(rules.api.entries.contains(.adRevenue) == rules.splitsRevenue)
    #expect(rules.api.entries.contains(rules.valueEntry))
  }
}
