import Testing

@testable import SKANBase

@Suite("Errors of the JSON reader")
struct JSONErrorTests {
  @Test("The place of a reader's error")
  func ofError() throws {
    let bytes = Array("{\n  \"é\": tru\n}".utf8)
    let error = try #require(#expect(throws: JSONError.self) { try JSONReader.read(bytes) })
    let problem = SourceProblem(error)
    #expect(problem.message == "not JSON: expected a value: an object, array, string, number, true, false or null")
    let index = TextLocation(of: problem.range, in: bytes)
    #expect(index.line == 2)
    #expect(index.column == 8)
    #expect(index.text == "  \"é\": tru")
  }
}
