import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANTraffic

/// What the live page says about the lines of the journal: their phones, and the findings that they reveal.
///
/// It looks at lines only while a page is open, and begins with the oldest line that the journal keeps.
final class PageFeed {
  /// The file name of the journal in locations and in labels of steps.
  static let file = "journal"

  private struct Note {
    var phone: TrafficDevice?
    var findings: [TrafficFinding]
  }

  private let journal: Journal
  private let reader = JournalEntryReader()
  private var checker = TrafficChecker()
  private var notes: [Int: Note] = [:]
  /// The lines of each phone, in order.
  private var lines: [TrafficDevice: [Int]] = [:]
  /// The number of the next line to look at.
  private(set) var next: Int
  private var clearings: Int
  /// Increases whenever it begins anew.
  private(set) var beginnings = 0
  /// The oldest line when notes were last removed.
  private var pruned = 0

  init(_ journal: Journal) {
    self.journal = journal
    (next, clearings) = (journal.firstNumber, journal.clearings)
  }

  /// The lines of each phone that are known so far, in order of the first.
  var phones: [TrafficDevice] {
    lines.filter { !$0.value.isEmpty }.sorted { $0.value[0] < $1.value[0] }.map(\.key)
  }

  /// Looks at lines that are new.
  ///
  /// - Parameter most: the number of lines after which it leaves the rest for the next call.
  func advance(most: Int = .max) {
    if journal.firstNumber > next || journal.clearings != clearings { beginAnew() }
    let end = most < journal.endNumber - next ? next + most : journal.endNumber
    while next < end {
      look(at: next)
      next += 1
    }
    if journal.firstNumber - pruned > Journal.limit { prune() }
  }

  private func beginAnew() {
    checker = TrafficChecker()
    (notes, lines) = ([:], [:])
    (next, clearings) = (journal.firstNumber, journal.clearings)
    beginnings += 1
  }

  private func look(at number: Int) {
    guard let request = request(number), let kind = EndpointKind(path: request.request.path) else { return }
    let findings = checker.check(request, kind: kind)
    let phone = checker.device
    notes[number] = Note(phone: phone, findings: findings)
    if let phone { lines[phone, default: []].append(number) }
  }

  private func request(_ number: Int) -> CapturedRequest? {
    reader.request(journal.line(number), at: CaptureLocation(file: Self.file, entry: number, line: number))
  }

  /// Forgets lines that the journal no longer keeps.
  private func prune() {
    pruned = journal.firstNumber
    notes = notes.filter { $0.key >= pruned }
    lines = lines.compactMapValues { numbers in
      let kept = numbers.filter { $0 >= pruned }
      return kept.isEmpty ? nil : kept
    }
  }

  /// The requests of a phone that the journal keeps, or those of all phones.
  func requests(of phone: TrafficDevice?) -> [CapturedRequest] {
    let numbers = phone.map { lines[$0] ?? [] } ?? Array(journal.firstNumber..<next)
    return numbers.filter { $0 >= journal.firstNumber }.compactMap(request)
  }

  /// The findings that a line reveals.
  func findings(_ number: Int) -> [TrafficFinding] { notes[number]?.findings ?? [] }

  /// A line that was looked at, as the page receives it.
  func event(_ number: Int) -> PageEvent {
    let note = notes[number]
    return PageEvent(
      number: number, phone: note?.phone, findings: note?.findings ?? [], line: journal.line(number))
  }
}

/// A line of the journal as the page receives it.
package struct PageEvent: JSONObjectWritable {
  fileprivate let number: Int
  fileprivate let phone: TrafficDevice?
  fileprivate let findings: [TrafficFinding]
  /// With its line end.
  fileprivate let line: [UInt8]

  package static let fields = JSONFields<PageEvent> {
    JSONField("findings", "what the request reveals, of itself or of earlier ones", list: findingFields) { $0.findings }
    JSONField("line", "the line of the journal", as: JournalLine.jsonForm) { event, writer in
      unsafe event.line.withUnsafeBufferPointer {
        unsafe writer.text.append(UnsafeBufferPointer(rebasing: $0.dropLast()))
      }
    }
    JSONField("n", "its number since the server started") { $0.number }
    JSONField("phone", "the phone that it is of; null where it names none") { $0.phone }
  }

  private static let findingFields = JSONFields<TrafficFinding> {
    JSONField("message", "what is wrong, a sentence") { $0.message }
    JSONField("n", "the number of the line that it is about") { $0.location.entry }
    JSONField("parameters", "the names of the parameters that it is about, the wrong or missing one first") {
      $0.parameters
    }
    JSONField("rule", "the rule, as in /page/setup") { $0.rule.id }
  }
}
