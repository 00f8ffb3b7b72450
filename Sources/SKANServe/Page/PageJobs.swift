import SKANHTTP
import SKANSystem
import Synchronization

/// The answers of the live page that take long to make, such as the drawing of a life or a list of all phones.
///
/// Each is made on another thread, one after the other, from what the journal keeps when its turn comes. The server's
/// thread goes on answering phones.
final class PageJobs {
  /// The most answers that wait or are being made.
  static let most = 64

  private struct Job {
    /// The number of the line after the last that was kept when the page asked.
    let end: Int
    let reply: HTTPLateReply
    let make: @Sendable (PageSnapshot) -> ExplainedReply
  }

  private final class Progress: Sendable {
    let isRunning = Atomic(false)
  }

  private let journal: Journal
  private let feed: PageFeed
  private var waiting: [Job] = []
  private let progress = Progress()

  init(_ journal: Journal, _ feed: PageFeed) {
    self.journal = journal
    self.feed = feed
  }

  /// Adds an answer.
  ///
  /// - Parameter make: makes it, on another thread.
  /// - Returns: the reply that waits for it; a refusal if too many wait.
  func add(_ make: @escaping @Sendable (PageSnapshot) -> ExplainedReply) -> ExplainedReply {
    guard waiting.count < Self.most else {
      return .refusal(503, "\(Self.most) answers to the page are waiting already: ask again later")
    }
    let job = Job(end: journal.endNumber, reply: HTTPLateReply(), make: make)
    waiting.append(job)
    var reply = ExplainedReply.page([], "application/json")
    reply.late = job.reply
    return reply
  }

  /// Starts the next answer, once the one before is made and the feed has looked at the lines.
  func advance() {
    guard let job = waiting.first, !progress.isRunning.load(ordering: .acquiring) else { return }
    feed.advance()
    guard feed.next >= job.end else { return }
    waiting.removeFirst()
    progress.isRunning.store(true, ordering: .releasing)
    let hasStarted = WorkerThread.start { [progress, snapshot = feed.snapshot] in
      job.reply.settle(job.make(snapshot).finished(allowing: nil))
      progress.isRunning.store(false, ordering: .releasing)
    }
    if hasStarted { return }
    progress.isRunning.store(false, ordering: .releasing)
    job.reply.settle(
      ExplainedReply.refusal(503, "the system has no thread left for this: ask again later").forPage
        .finished(allowing: nil))
  }
}
