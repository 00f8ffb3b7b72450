import SKANDevice
import SKANHTTP
import SKANBase
import SKANRun

/// A capture as an event list, a phone a device: `skan replay` then says where the real app differs from the snippet.
package struct CapturedList {
  /// The lines, each with its end.
  package private(set) var text = ""
  /// How many phones there are.
  package private(set) var phones = 0
  /// Requests that are in no step: without a device or an answer, or that cannot be decoded.
  package private(set) var leftOut: [CaptureLocation] = []
  /// The first request whose sums have more digits than the snippet keeps, and such a sum: the client keeps doubles.
  package private(set) var doubles: (sum: Double, location: CaptureLocation)?

  /// - Parameters:
  ///   - requests: in order of time.
  ///   - redact: takes secrets out of a text.
  package init(_ requests: [CapturedRequest], redact: @escaping (_ text: String, _ secrets: [String]) -> String) {
    let document = JSONDocument()
    var order: [TrafficDevice] = []
    var byDevice: [TrafficDevice: [CheckedRequest]] = [:]
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path),
        let checked = CheckedRequest(request, kind: kind, in: document), let device = checked.device,
        !checked.lacksAnswer
      else {
        leftOut.append(request.location)
        continue
      }
      if byDevice[device] == nil { order.append(device) }
      byDevice[device, default: []].append(checked)
      if doubles == nil, checked.snippet.rules.sums == .single, let sum = checked.details.doubleSum {
        doubles = (sum, checked.captured.location)
      }
    }
    phones = order.count
    if let note { text = "# \(note)\n" }
    let names = NameTable()
    for device in order {
      let index = names.insert(order.count == 1 ? "" : "\(device.app) \(device.id)")
      for listed in PhoneList(byDevice[device] ?? [], redact: redact).steps {
        var step = Step(listed.operation, time: listed.at.map(TimeSpec.at))
        step.phone = index
        step.phones = names
        step.annotate(label: listed.label, expectations: listed.expectations)
        text += StepWriter(step).line + "\n"
      }
    }
  }
}

extension CapturedList {
  /// A note about the whole list; nil if there is nothing to say.
  package var note: String? {
    guard let doubles else { return nil }
    return "the client keeps sums as doubles (\(doubles.sum.jsonText), \(doubles.location.file.oneLine) entry "
      + "\(doubles.location.entry)) where the snippet keeps single precision; money is compared to 2 parts in 100,000"
  }
}

extension CheckedRequest {
  /// Whether it is one of the snippet's whose answer is not in the capture.
  fileprivate var lacksAnswer: Bool {
    guard case .conversionValue = kind else { return false }
    switch captured.answer {
    case .notCaptured, .status: return true
    case .response, .failure: return false
    }
  }
}
