import Foundation
import SKANBase

@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANDevice
@testable import SKANModel
@testable import SKANReceive
@testable import SKANRun
@testable import SKANSigning
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
  var rates = value(of: bytes, read)
  if ExchangeRates.isTable(bytes, file: "") {
    do throws(SourceNotes) {
      rates = try ExchangeRates(table: bytes)
      let again = try ExchangeRates(table: bytes)
      precondition(again == rates, "read again the rates are others")
    } catch {
      return check(error.notes, in: bytes)
    }
  } else {
    precondition(value(of: bytes, read) == rates, "read again the rates are others")
  }
  guard let rates else { return }
  for code in ["USD", "EUR", "AAA"].compactMap(CurrencyCode.init) {
    for time in [nil, Instant.listStart] {
      precondition(rates.converted(1, from: code, to: code, at: time) == 1, "an amount is another in its own currency")
      let dollars = rates.converted(1, from: code, to: .usd, at: time)
      precondition(dollars.map { $0 >= 0 } ?? true, "an amount became negative")
    }
  }
}

/// A file of variables, and behind a byte 0xFF a text of a list that uses them.
func fuzzVariables(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
  let file = PairsFile(what: "the variable", form: "NAME=VALUE", takesEmpty: true, isName: Variables.isName)
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
    let file = try ProjectFile(bytes, path: "skan.json", sdkKey: "s3cret-key", of: .skan)
    precondition(!file.options.values.contains { JSONWriter.text($0.json).contains("s3cret-key") }, "the key is read")
  } catch {
    guard case .content(_, let notes, _) = error else { preconditionFailure("another failure: \(error)") }
    check(notes, in: bytes)
  }
}

// What receivers get. Signatures of the right form count as valid: that they are checked is not the question here.

private let tool = SignatureTool(
  signMessage: { (_, _) throws(SigningError) in throw .toolMissing },
  verifyMessage: { (message, _, _) throws(SigningError) in message.count % 2 == 0 })

private let now = Instant(microseconds: 1_780_315_200_000_000)

private let campaigns = try? CampaignMap(
  Array("network,identifier,from,until,campaign_id\nn.skadnetwork,5239,,2026-12-31,c1\nn.skadnetwork,39,,,c2\n".utf8),
  file: "campaigns.csv")

/// A postback, or several: each can be checked and kept, and is the same when it is read back.
func fuzzPostback(_ bytes: [UInt8]) {
  guard let documents = located(of: bytes, PostbackDocument.all) else { return }
  var intake = PostbackIntake(
    testKey: nil, tool: tool, context: PostbackContext(campaigns: campaigns))
  for document in documents {
    precondition(document.line >= 1 && document.range.upperBound <= bytes.count + 2)
    guard let verdict = try? intake.verdict(on: document) else { preconditionFailure("no verdict") }
    for finding in verdict.findings { check([finding.note], in: bytes) }
    guard String(validating: document.body, as: UTF8.self) != nil else { preconditionFailure("a body without UTF-8") }
    let record = intake.record(document, verdict, at: now, from: "::1")
    let read = value(of: record.line) { (line) throws(SourceProblems) in try ReceivedRecord(line) }
    precondition(read == record, "what is kept is read back as another")
    guard let again = try? PostbackDocument(Array(record.body.utf8)) else { preconditionFailure("a body that is none") }
    precondition(again.node.value == document.node.value, "a body that says something else")
    intake.add(document, record)
  }
  intake.settle()
}

/// A file of received postbacks, in pieces of the first byte's size.
func fuzzReceived(_ bytes: [UInt8]) {
  guard let (size, rest) = bytes.choice else { return }
  func read(_ pieces: Int) -> (Result<[ReceivedRecord], ReceivedFileProblem>, size: Int) {
    var left = rest[...]
    var records: [ReceivedRecord] = []
    let source = ByteSource(isRegular: true, size: rest.count) { (buffer) throws(SourceFailure) in
      let piece = left.prefix(min(pieces, buffer.count))
      buffer.copyBytes(from: piece)
      left = left.dropFirst(piece.count)
      return piece.count
    }
    do throws(ReceivedFileProblem) {
      let file = try ReceivedFile(source) { record, _, line in
        precondition(line > records.count, "a line is counted twice")
        records.append(record)
      }
      precondition(file.lines == records.count && file.size + file.tornBytes <= rest.count)
      return (.success(records), file.size)
    } catch {
      if case .content(let notes, _) = error { check(notes.notes, in: rest) }
      return (.failure(error), 0)
    }
  }
  let whole = read(.max)
  precondition(read(Int(size) + 1) == whole, "the pieces change what is read")
  guard case (.success(let records), _) = whole else { return }
  for record in records {
    let again = value(of: Array(record.line.dropLast())) { (line) throws(SourceProblems) in try ReceivedRecord(line) }
    precondition(again == record, "written and read again it is another")
  }
}

nonisolated(unsafe) private let postbacks = [
  #"{"version":"4.0","ad-network-id":"n.skadnetwork","source-identifier":"5239","app-id":1,"transaction-id":"t"}"#,
  #"{"version":"2.2","ad-network-id":"n.skadnetwork","campaign-id":39,"app-id":1,"transaction-id":"t"}"#,
].compactMap { try? PostbackDocument(Array($0.utf8)) }

func fuzzCampaigns(_ bytes: [UInt8]) {
  let read = { (bytes: [UInt8]) throws(SourceNotes) in try CampaignMap(bytes, file: "campaigns.csv") }
  guard let map = located(of: bytes, read) else { return }
  for postback in postbacks {
    guard case .finding(_, let message)? = map.campaign(of: postback, receivedAt: now, isDevelopment: false) else {
      continue
    }
    precondition(!message.isEmpty)
  }
}

/// Three parts of a JWS behind each other, separated by 0xFF, and the bytes as they are.
func fuzzJWS(_ bytes: [UInt8]) {
  if let document = try? PostbackDocument(bytes), let jws = document.adAttributionKit {
    _ = (jws.keyID, jws.conversionType, jws.statement)
    precondition((jws.fault == nil) == (jws.signature.count == 64), "a signature without a JWS")
    precondition(document.postback == nil || document.isObject, "it is both")
  }
  let parts = bytes.split(separator: 0xFF, omittingEmptySubsequences: false)
  guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[0].starts(with: "{\"".utf8),
    parts[0].prefix(3).allSatisfy({ $0 < 0x80 })
  else { return }
  let base64 = parts.map {
    Data($0).base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
  }
  let text = base64.joined(separator: ".")
  for form in [text, " \(text)\n", "\"\(text)\"", "{\"jws-string\":\"\(text)\"}"] {
    guard let jws = (try? PostbackDocument(Array(form.utf8)))?.adAttributionKit else {
      preconditionFailure("not recognised: \(form)")
    }
    guard case .object? = (try? JSONReader.read(Array(parts[0])))?.content else { continue }
    let header = try? JSONReader.read(Array(parts[0])).value
    if case .string(let key)? = header?["kid"] { precondition(jws.keyID == key, "another key") }
  }
}
