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
  /// The most lines that it looks at in one turn of the server.
  static let mostInTurn = 500

  /// The facts about a line of the journal.
  fileprivate struct Note: Sendable {
    var phone: TrafficDevice?
    var findings: [TrafficFinding]
    /// The earlier requests of the phone that were still under way.
    var together: [Int]
  }

  /// A request whose answer has not left.
  private struct UnderWay {
    let number: Int
    let until: Instant
  }

  /// The most earlier requests that are named as under way with one.
  private static let mostTogether = 16

  private let journal: Journal
  private let context: () -> TrafficContext
  private let reader = JournalEntryReader()
  private var checker: TrafficChecker
  private var notes: [Int: Note] = [:]
  /// The lines of each phone, in order.
  private var lines: [TrafficDevice: [Int]] = [:]
  /// The requests of each phone that were under way when its last one came, oldest first.
  private var underWay: [TrafficDevice: [UnderWay]] = [:]
  /// The number of the next line to look at.
  private(set) var next: Int
  private var clearings: Int
  /// Increases whenever it begins anew.
  private(set) var beginnings = 0
  /// The oldest line when notes were last removed.
  private var pruned = 0
  /// How many more lines it looks at in this turn of the server.
  private var leftInTurn = PageFeed.mostInTurn

  /// - Parameter context: what is known about the traffic now; a server may read its models again.
  init(_ journal: Journal, context: @escaping () -> TrafficContext) {
    self.journal = journal
    self.context = context
    checker = TrafficChecker(limit: journal.limit)
    (next, clearings) = (journal.firstNumber, journal.clearings)
  }

  /// Begins a turn of the server.
  func beginTurn() {
    leftInTurn = Self.mostInTurn
    checker.context = context()
  }

  /// Looks at lines that are new, as many as are left in this turn.
  func advance() {
    if journal.firstNumber > next || journal.clearings != clearings { beginAnew() }
    let end = min(next + leftInTurn, journal.endNumber)
    leftInTurn -= end - next
    while next < end {
      look(at: next)
      next += 1
    }
    if journal.firstNumber - pruned > journal.limit { prune() }
  }

  private func beginAnew() {
    checker = TrafficChecker(limit: journal.limit, context())
    (notes, lines, underWay) = ([:], [:], [:])
    (next, clearings) = (journal.firstNumber, journal.clearings)
    beginnings += 1
  }

  private func look(at number: Int) {
    guard let request = reader.request(journal.lines[number], number: number),
      let kind = EndpointKind(path: request.request.path)
    else { return }
    let findings = checker.check(request, kind: kind)
    let phone = checker.device
    notes[number] = Note(phone: phone, findings: findings, together: phone.map { meet(number, of: $0) } ?? [])
    if let phone { lines[phone, default: []].append(number) }
  }

  /// Returns the earlier requests of the phone whose answers had not left when this one came.
  private func meet(_ number: Int, of phone: TrafficDevice) -> [Int] {
    guard let span = journal.lines.span(of: number) else { return [] }
    var waiting = (underWay[phone] ?? []).filter { span.received < $0.until }
    let together = waiting.map(\.number)
    if span.received < span.answered { waiting.append(UnderWay(number: number, until: span.answered)) }
    underWay[phone] = waiting.isEmpty ? nil : Array(waiting.suffix(Self.mostTogether))
    return together
  }

  /// Forgets lines that the journal no longer keeps.
  private func prune() {
    pruned = journal.firstNumber
    notes = notes.filter { $0.key >= pruned }
    underWay = underWay.filter { $0.value.contains { $0.number >= pruned } }
    lines = lines.compactMapValues { numbers in
      let kept = numbers.filter { $0 >= pruned }
      return kept.isEmpty ? nil : kept
    }
  }

  /// The number of things that it remembers of lines, phones and apps, for tests of the limit.
  var size: Int { notes.count + lines.count + underWay.count + checker.size }

  /// The lines that are kept now, and what it knows of them.
  var snapshot: PageSnapshot { PageSnapshot(lines: journal.lines, notes: notes, numbers: lines) }

  /// A line that was looked at, as the page receives it.
  func event(_ number: Int) -> PageEvent {
    let note = notes[number]
    return PageEvent(
      number: number, phone: note?.phone, findings: note?.findings ?? [], together: note?.together ?? [],
      line: journal.lines[number])
  }
}

/// The lines that the journal kept at one moment, and what the feed knew of them. Another thread may read it.
struct PageSnapshot: Sendable {
  let lines: JournalLines
  fileprivate let notes: [Int: PageFeed.Note]
  /// The lines of each phone, in order; some may no longer be kept.
  fileprivate let numbers: [TrafficDevice: [Int]]

  /// The phones with a line that is kept, in the order of their first lines.
  var phones: [TrafficDevice] {
    numbers.filter { $0.value.contains { $0 >= lines.firstNumber } }.sorted { $0.value[0] < $1.value[0] }.map(\.key)
  }

  /// The requests of a phone, or those of all phones.
  func requests(of phone: TrafficDevice?) -> [CapturedRequest] {
    let reader = JournalEntryReader()
    let kept = phone.map { (numbers[$0] ?? []).filter { $0 >= lines.firstNumber } } ?? Array(lines.numbers)
    return kept.compactMap { reader.request(lines[$0], number: $0) }
  }

  /// The findings that a line reveals.
  func findings(_ number: Int) -> [TrafficFinding] { notes[number]?.findings ?? [] }
}

extension JournalEntryReader {
  /// The request of a line of the server's journal; nil for a line of another kind.
  fileprivate func request(_ line: [UInt8], number: Int) -> CapturedRequest? {
    request(line, at: CaptureLocation(file: PageFeed.file, entry: number, line: number))
  }
}

/// A line of the journal as the page receives it.
package struct PageEvent: JSONObjectWritable {
  fileprivate let number: Int
  fileprivate let phone: TrafficDevice?
  fileprivate let findings: [TrafficFinding]
  fileprivate let together: [Int]
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
    JSONField("phone", "the phone; null if the request names none") { $0.phone }
    JSONField("together", "the numbers of the phone's earlier requests that were not answered when it came") {
      $0.together
    }
  }

  private static let findingFields = JSONFields<TrafficFinding> {
    JSONField("message", "what is wrong, as a sentence") { $0.message }
    JSONField("n", "the number of the line that it is about") { $0.location.entry }
    JSONField("parameters", "the names of the parameters that it is about, the wrong or missing one first") {
      $0.parameters
    }
    JSONField("rule", "the rule, as in /page/setup") { $0.rule.id }
  }
}
