import SKANBase
import SKANSystem

/// The open streams of `/events`, as Server-Sent Events.
///
/// Each stream reads the journal at its own pace: a page that does not read holds up nothing. The identifier of an event
/// is `RUN-N`: the server's run, and the number of the line. A page that asks with the last identifier it has gets what
/// came after it; one that has missed a line, or the emptying of the journal, gets the event `reset` first, and then all
/// that is kept.
final class PageStreams {
  /// The most pages at a time.
  static let most = 32
  /// The most lines, and about the most bytes, of one part.
  private static let mostLines = 1000
  private static let mostBytes = 1 << 20
  /// The seconds after which a comment shows whether the page is still there.
  private static let beat = 15.0

  private struct Stream {
    var next: Int
    var beginnings: Int
    var needsReset: Bool
    var troubleRevision = -1
    var postbackRevision = 0
    var lastSent: Double
  }

  /// Identifies this run of the server.
  let run: String
  private let journal: Journal
  private let feed: PageFeed
  private let troubles: Troubles
  private let postbackRevision: () -> Int
  private var streams: [Int: Stream] = [:]
  private var lastID = 0

  init(
    run: String, _ journal: Journal, _ feed: PageFeed, _ troubles: Troubles, postbackRevision: @escaping () -> Int
  ) {
    self.run = run
    self.journal = journal
    self.feed = feed
    self.troubles = troubles
    self.postbackRevision = postbackRevision
  }

  /// Opens a stream; nil if too many are open.
  ///
  /// - Parameter lastID: the identifier of the last event that the page has; nil for none.
  func open(after lastID: String?) -> Int? {
    guard streams.count < Self.most else { return nil }
    feed.advance()
    // A number from outside: only one whose line is kept, or was just removed, can be followed.
    let first = max(journal.firstNumber - 1, journal.emptiedAt)
    let last = lastID.flatMap(number).flatMap { $0 >= first && $0 < feed.next ? $0 : nil }
    self.lastID += 1
    streams[self.lastID] = Stream(
      next: last.map { $0 + 1 } ?? 0, beginnings: feed.beginnings, needsReset: last == nil,
      lastSent: SystemClock.seconds)
    return self.lastID
  }

  /// The number in an identifier of this run.
  private func number(_ id: String) -> Int? {
    guard id.hasPrefix("\(run)-") else { return nil }
    return Int(id.dropFirst(run.count + 1))
  }

  func close(_ id: Int) { streams[id] = nil }

  /// The next part of a stream; empty for none yet.
  func part(of id: Int) -> [UInt8] {
    guard var stream = streams[id] else { return [] }
    feed.advance()
    var text = ByteText()
    if stream.needsReset || stream.beginnings != feed.beginnings || stream.next < journal.firstNumber {
      stream.next = journal.firstNumber
      (stream.needsReset, stream.beginnings) = (false, feed.beginnings)
      let reset = PageReset(run: run, first: stream.next, end: journal.endNumber)
      append("reset", id: stream.next - 1, to: &text) { JSONWriter.write(reset, layout: .line, into: &$0) }
    }
    let end = min(feed.next, stream.next + Self.mostLines)
    while stream.next < end, text.count < Self.mostBytes {
      let event = feed.event(stream.next)
      append("line", id: stream.next, to: &text) { JSONWriter.write(event, layout: .line, into: &$0) }
      stream.next += 1
    }
    if stream.troubleRevision != troubles.revision {
      stream.troubleRevision = troubles.revision
      append("trouble", to: &text) { JSONWriter.write(troubles.pending, layout: .line, into: &$0) }
    }
    let revision = postbackRevision()
    if stream.postbackRevision != revision {
      stream.postbackRevision = revision
      append("postbacks", to: &text) { $0.append(Int64(revision)) }
    }
    let now = SystemClock.seconds
    if text.count == 0, now - stream.lastSent >= Self.beat { text.append(":\n\n") }
    if text.count > 0 { stream.lastSent = now }
    streams[id] = stream
    return text.array
  }

  /// Adds an event. Its data is one line.
  private func append(_ name: StaticString, id: Int? = nil, to text: inout ByteText, _ data: (inout ByteText) -> Void) {
    text.append("event: ")
    text.append(name)
    if let id { text.append("\nid: \(run)-\(id)") }
    text.append("\ndata: ")
    data(&text)
    text.append("\n\n")
  }
}

/// The data of the event `reset`: the page forgets what it has, and the lines that follow are all that is kept.
package struct PageReset: JSONObjectWritable {
  let run: String
  let first: Int
  let end: Int

  package static let fields = JSONFields<PageReset> {
    JSONField("end", "the number of the next line") { $0.end }
    JSONField("first", "the number of the oldest line that is kept") { $0.first }
    JSONField("run", "the run of the server") { $0.run }
  }
}
