import Foundation
import SKANBase

// What libFuzzer calls, and what the harnesses share. A harness is a function of bytes: it reads them, and stops the
// process where something that must hold does not.

/// The harnesses by their names; SKAN_FUZZ_READER chooses one.
private let readers: [String: @Sendable ([UInt8]) -> Void] = [
  "answer": fuzzAnswer, "arguments": fuzzArguments, "campaigns": fuzzCampaigns, "capture": fuzzCapture,
  "details": fuzzDetails, "device": fuzzDevice, "export": fuzzExport, "forwarded": fuzzForwarded, "frame": fuzzFrame,
  "http": fuzzHTTP, "json": fuzzJSON, "jws": fuzzJWS, "key": fuzzKey, "list": fuzzList, "mapping": fuzzMapping,
  "model": fuzzModel, "page": fuzzPage, "partial": fuzzPartial, "postback": fuzzPostback, "project": fuzzProject,
  "query": fuzzQuery,
  "rates": fuzzRates, "received": fuzzReceived, "schema": fuzzSchema, "table": fuzzTable, "time": fuzzTime,
  "url": fuzzURL, "variables": fuzzVariables, "version": fuzzVersion,
]

private let reader = ProcessInfo.processInfo.environment["SKAN_FUZZ_READER"].flatMap { readers[$0] }

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let reader else { preconditionFailure("SKAN_FUZZ_READER is none of \(readers.keys.sorted())") }
  reader(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// What a reader makes of bytes; nil when it refuses them, with problems that stand in them.
func value<Value>(of bytes: [UInt8], _ read: ([UInt8]) throws(SourceProblems) -> Value) -> Value? {
  do throws(SourceProblems) { return try read(bytes) } catch {
    precondition(!error.problems.isEmpty, "refused without a problem")
    for problem in error.problems {
      precondition((0...bytes.count).contains(problem.range.lowerBound), "a problem outside of the text")
    }
    check(error.notes(in: bytes), in: bytes)
    return nil
  }
}

/// The same of a reader that counts lines itself.
func located<Value>(of bytes: [UInt8], _ read: ([UInt8]) throws(SourceNotes) -> Value) -> Value? {
  do throws(SourceNotes) { return try read(bytes) } catch {
    check(error.notes, in: bytes)
    return nil
  }
}

/// Every problem says what is wrong, on a line that there is.
func check(_ notes: [SourceNote], in bytes: [UInt8]) {
  precondition(!notes.isEmpty, "refused without a problem")
  let lines = bytes.count { $0 == 0x0A } + 1
  for note in notes {
    precondition(!note.message.isEmpty, "a problem without a message")
    precondition((1...lines).contains(note.location.line), "line \(note.location.line) of \(lines)")
    precondition((1...bytes.count + 1).contains(note.location.column), "column \(note.location.column)")
  }
}

extension [UInt8] {
  /// The first byte, which says how the rest is read, and the rest.
  var choice: (first: UInt8, rest: [UInt8])? { first.map { ($0, Array(dropFirst())) } }

  var text: String { String(decoding: self, as: UTF8.self) }
}
