import SKANBase

@testable import SKANCommand
@testable import SKANDevice
@testable import SKANModel
@testable import SKANRun
@testable import SKANSystem

// Files that a command reads: what is read and written again reads as the same.

func fuzzDevice(_ bytes: [UInt8]) {
  let read = { (bytes: [UInt8]) throws(SourceProblems) in try DeviceFile(bytes) }
  guard let file = value(of: bytes, read) else { return }
  let again = value(of: Array(file.text.utf8), read)
  precondition(again == file && again?.text == file.text, "written and read again it is another device")
}

func fuzzDetails(_ bytes: [UInt8]) {
  guard let kept = value(of: bytes, DetailsDump.read) else { return }
  precondition(value(of: Array(JSONWriter.text(kept.json).utf8), DetailsDump.read) == kept, "the details are others")
}

func fuzzRates(_ bytes: [UInt8]) {
  let read = { (bytes: [UInt8]) throws(SourceProblems) in try ExchangeRates(bytes) }
  guard let rates = value(of: bytes, read) else { return }
  precondition(value(of: bytes, read) == rates, "read again the rates are others")
  for code in ["USD", "EUR", "AAA"].compactMap(CurrencyCode.init) {
    precondition(rates.converted(1, from: code, to: code) == 1, "an amount is another in its own currency")
    let dollars = rates.converted(1, from: code, to: .usd)
    precondition(dollars.map { $0 >= 0 } ?? true, "an amount became negative")
  }
}

/// A file of variables, and behind a byte 0xFF a text of a list that uses them.
func fuzzVariables(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
  let file = PairsFile(what: "the variable", form: "NAME=VALUE", isName: Variables.isName)
  let values: [String: String]
  do throws(CommandError) { values = try file.read(Array(parts[0]), of: "f") } catch {
    guard case .content(_, let notes, _) = error else { preconditionFailure("another failure: \(error)") }
    return check(notes, in: Array(parts[0]))
  }
  let lines = values.map { "\($0.key)=\($0.value)\n" }.joined()
  // A return before the line end is none of the value.
  if !values.values.contains(where: { $0.hasSuffix("\r") }) {
    precondition((try? file.read(Array(lines.utf8), of: "f")) == values, "written and read again they are others")
  }
  let line = Array(JSONWriter.quoted(Array(parts.last ?? []).text).utf8)
  do throws(SourceProblems) {
    let replaced = try line.withUnsafeBufferPointer { (line) throws(SourceProblems) in
      try Variables(values).replaced(in: line)
    }
    guard let replaced else { return }
    guard case .string? = (try? JSONReader.read(replaced))?.content else {
      preconditionFailure("with its variables the text is none: \(replaced.text)")
    }
  } catch {
    check(error.notes(in: line), in: line)
  }
}

func fuzzAnswer(_ bytes: [UInt8]) {
  guard let answer = value(of: bytes, AnswerForm.read) else { return }
  let written = Array(AnswerForm.text(answer).utf8)
  precondition(value(of: written, AnswerForm.read) == answer, "written and read again it is another: \(written.text)")
}

func fuzzProject(_ bytes: [UInt8]) {
  do throws(CommandError) {
    let file = try ProjectFile(bytes, path: "skan.json", sdkKey: "s3cret-key")
    precondition(!file.options.values.contains { JSONWriter.text($0.json).contains("s3cret-key") }, "the key is read")
  } catch {
    guard case .content(_, let notes, _) = error else { preconditionFailure("another failure: \(error)") }
    check(notes, in: bytes)
  }
}
