import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANTimeline

/// Keeps the lives of some phones of a list, to draw them in a report.
final class LifeObserver: StepObserver {
  /// The maximum number of phones of a list to keep.
  static let mostPhones = 1000
  /// The maximum number of events of all phones together.
  static let mostEvents = 50_000
  /// The maximum number of phones of a list to draw: of phones with failures, and of a list without failures.
  static let mostDrawn = (failed: 8, passed: 8)

  /// A phone, and its history since it was last installed.
  private struct Life {
    let name: String
    var device: Device
    var history: [LifeEvent] = []
    var end: Instant
    /// The number of the end after which ``device`` is the phone, if its updates overlap.
    var endNumber = 0
    var hasFailed = false
  }

  private let settings: ReplaySettings
  private let redactor: Redactor
  private var lives: [Int: Life] = [:]
  private var events = 0
  /// The phones that are not kept.
  private var others: Set<Int> = []

  /// - Parameter redactor: removes the SDK key from the lives.
  init(_ settings: ReplaySettings, _ redactor: Redactor) {
    self.settings = settings
    self.redactor = redactor
  }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    guard case .ran(let result, let verdicts, let isSelected) = event else { return true }
    let hasFailed =
      isSelected
      && (verdicts.contains { !$0.isMet } || settings.lists.isStrict && result.report.hasFinding
        || settings.lists.isRemote && result.endpointFault(verdicts) != nil)
    add(result, hasFailed)
    return true
  }

  private func add(_ result: StepResult, _ hasFailed: Bool) {
    let phone = result.step.phone
    guard lives[phone] != nil || lives.count < Self.mostPhones, !others.contains(phone), events < Self.mostEvents else {
      // A life that is not complete must not be drawn.
      if let life = lives.removeValue(forKey: phone) { events -= life.history.count }
      others.insert(phone)
      return
    }
    var life = lives[phone] ?? Life(name: result.step.device, device: result.device, end: result.endedAt)
    if case .device = result.step.operation {
      events -= life.history.count
      life.history = []
    }
    let new = result.lifeEvents
    events += new.count
    life.history += new
    // The results of updates that overlap are in the order of the list, and not in that of their ends.
    if result.endNumber.map({ $0 > life.endNumber }) ?? true {
      life.device = result.device
      life.end = result.endedAt
      life.endNumber = result.endNumber ?? 0
    }
    life.hasFailed = life.hasFailed || hasFailed
    lives[phone] = life
  }

  /// The lives to draw: those of phones with failures, or else the first ones. The note tells how many are left out.
  func drawn() -> (lives: [DrawnLife], note: String?) {
    let all = lives.sorted { $0.key < $1.key }.map(\.value)
    let failed = all.filter(\.hasFailed)
    let chosen = failed.isEmpty ? all.prefix(Self.mostDrawn.passed) : failed.prefix(Self.mostDrawn.failed)
    let left = all.count + others.count - chosen.count
    let note =
      left == 0
      ? nil
      : "Time lines are drawn of the first \(failed.isEmpty ? Self.mostDrawn.passed : Self.mostDrawn.failed) phones"
        + "\(failed.isEmpty ? "" : " with failures"); \(left.counted("phone")) \(left == 1 ? "is" : "are") left out, "
        + "which 'skan timeline LIST --device NAME' draws."
    let drawings = chosen.map { life in
      var device = life.device
      device.redact(by: redactor)
      return DrawnLife(
        name: life.name, device: device, history: life.history, now: life.end, redactor: redactor)
    }
    return (drawings, note)
  }
}

extension DrawnLife {
  /// The life as an HTML element.
  ///
  /// - Parameter id: the prefix of the names within the drawing, unique on the page.
  func drawing(id: String) -> LifeDrawing { LifeDrawing(phone: name, html: TimelineSVG(timeline, id: id).element) }
}
