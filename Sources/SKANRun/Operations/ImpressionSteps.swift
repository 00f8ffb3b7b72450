import SKANBase
import SKANDevice

/// The ads that are shown on a phone, and the download of the app.
extension OperationSpec {
  static let impression = OperationSpec(
    "impression", "a step with op \"impression\"", keys: [.seconds], profileKeys: ["ad"],
    decode: { reader, step in
      var problems: [SourceProblem] = []
      let ad = reader.node("ad").map { AdAttribution(impression: $0, &problems) } ?? AdAttribution()
      reader.add(problems)
      let seconds = reader.seconds("seconds")
      if seconds != nil, ad.fidelity == 1, problems.isEmpty { reader.complainOfClick() }
      step.operation = .impression(ad, seconds: seconds)
    })

  static let download = OperationSpec(
    "download", "a step with op \"download\"", keys: [.redownload],
    decode: { reader, step in step.operation = .download(isRedownload: reader.bool(at: .redownload) ?? false) })
}
