import SKANDevice
import SKANSystem

@testable import SKANTraffic

extension Checked {
  /// What the rules say of captures, whose requests are put in order of time and checked device by device.
  init(files: [[CapturedRequest]]) throws {
    var traffic = CapturedTraffic()
    for (file, requests) in files.enumerated() {
      for (index, request) in requests.enumerated() {
        var request = request
        request.location = CaptureLocation(file: "\(file)", entry: index + 1, line: index + 1)
        traffic.append(request, of: .har)
      }
    }
    var ordered: [CapturedRequest] = []
    try traffic.ordered().forEach({ $0 }) { request throws(FileError) in ordered.append(request) }
    self.init(inParts: ordered)
  }

  /// `device rule: message` of each finding, without numbers of entries, sorted.
  var texts: [String] {
    findings.map { finding in
      "\(finding.device?.description ?? "") \(finding.rule.id): \(finding.message.replacing(/entry \d+/, with: "entry"))"
    }.sorted()
  }
}
