import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("The check of traffic beside a plain model of it")
struct TrafficModelTests {
  private func texts(_ findings: [TrafficFinding], without: Set<TrafficRule> = []) -> [String] {
    findings.filter {
      SlowTraffic.rules.contains($0.rule) && !without.contains($0.rule) && !$0.message.hasPrefix("amt ")
    }
    .map { "\($0.device?.description ?? "") \($0.location.entry) \($0.rule.id): \($0.message)" }.sorted()
  }

  @Test("Repetitions, order, pairs, installs and kept values of random captures", arguments: Rounds.of(12))
  func findings(round: Int) throws {
    var fired: Set<String> = []
    for seed in round * 12..<round * 12 + 12 {
      let capture = RandomCapture(seed: seed)
      let model = SlowTraffic(capture.requests)
      let requests = capture.requests.map(\.captured)
      let parts = Checked(inParts: requests, TrafficContext(client: .snippet))
      func text() -> String {
        "seed \(seed)\n"
          + capture.requests.map { "\($0.entry) \($0.sent) \($0.kind.name) \($0.items) \($0.answer)\n" }.joined()
      }
      #expect(texts(parts.findings) == model.findings, "\(text())")
      #expect(texts(parts.open) == model.open, "\(text())")
      #expect(parts.summary.devices == Set(model.owners).count && parts.summary.unlinked == model.unlinked, "\(seed)")
      // Without a survey what is known of the app grows with its requests, and nothing else differs.
      let whole = try Checked(requests, TrafficContext(client: .snippet))
      let early = model.findings.filter { text in !SlowTraffic.ofBothSides.contains { text.contains(" \($0.id): ") } }
      #expect(texts(whole.findings, without: SlowTraffic.ofBothSides) == early, "seed \(seed)")
      fired.formUnion(parts.rules)
    }
    #expect(fired.count > 15, "\(fired.sorted())")
  }

  /// The report that belongs to each request of the snippet, and the reports that stand alone: `ask entry, report
  /// entry, entry of the last answer`.
  private func moments(_ requests: [SlowRequest]) -> [[Int]] {
    var moments: [[Int]] = []
    for (index, request) in requests.enumerated() {
      if request.isAsk {
        moments.append([request.entry, 0, 0])
      } else if let last = moments.indices.last, let report = requests.first(where: { $0.entry == moments[last][1] }),
        report.kind == request.kind, report.isPost == request.isPost,
        report.items.map({ "\($0)" }) == request.items.map({ "\($0)" })
      {
        moments[last][2] = request.entry
      } else if let ask = requests[..<index].last(where: { ask in
        guard ask.isAsk, ask.subject == request.subject, moments.contains([ask.entry, 0, 0]) else { return false }
        guard let asked = ask.time, let reported = request.time else { return true }
        return asked <= reported + 2
      }), let place = moments.firstIndex(of: [ask.entry, 0, 0]) {
        moments[place] = [ask.entry, request.entry, request.entry]
      } else {
        moments.append([0, request.entry, request.entry])
      }
    }
    return moments
  }

  @Test("What a list has of each report of random captures", arguments: Rounds.of(6))
  func lists(round: Int) throws {
    for seed in round * 12..<round * 12 + 12 {
      let capture = RandomCapture(seed: seed)
      let model = SlowTraffic(capture.requests)
      for device in Set(model.owners) {
        // A request of the snippet without its answer makes no step.
        let own = zip(capture.requests, model.owners).filter { request, owner in
          owner == device && (!request.isAsk || request.isAnswered)
        }.map(\.0)
        for requests in [own, own.filter { !$0.isAsk }] {
          let checked = requests.compactMap { CheckedRequest($0.captured, kind: $0.kind, in: .init()) }
          let (found, expected) = (CapturedMoment.all(checked), moments(requests))
          let entries = found.map { [$0.ask, $0.report].map { $0?.captured.location.entry ?? 0 } }
          #expect(entries == expected.map { Array($0[..<2]) }, "seed \(seed), \(device)")
          let last = expected.map { moment in requests.first { $0.entry == moment[2] }?.answer }
          #expect(found.map(\.reportAnswer) == last, "seed \(seed), \(device)")
          // Each report whose answer is known is a step of its own, and each that the snippet did not ask for another.
          let steps = PhoneList(checked).steps
          let reports = steps.filter { if case .forward = $0.operation { true } else { false } }
          let known = expected.count { moment in requests.contains { $0.entry == moment[2] && $0.isAnswered } }
          #expect(reports.count == known, "seed \(seed), \(device)")
        }
      }
    }
  }
}
