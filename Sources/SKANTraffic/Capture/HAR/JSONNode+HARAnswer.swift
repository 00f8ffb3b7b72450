import SKANBase

extension JSONNode {
  /// What an entry says of the answer.
  func answer(at location: CaptureLocation) throws(CaptureProblem) -> CapturedAnswer {
    guard let response = member("response"), response.isObject else { return .notCaptured }
    let status = Int(clamping: response.integer("status") ?? 0)
    guard status > 0 else {
      return .failure(response.text("_error") ?? text("_error") ?? response.text("statusText") ?? "")
    }
    guard let content = response.member("content"), content.isObject else { return .status(status) }
    guard let text = content.text("text") else {
      // An empty body, and not one that the exporter left out.
      let isEmpty = content.integer("size") == 0 && (response.integer("bodySize") ?? 0) <= 0
      return isEmpty && !response.announcesBody ? .response(status: status, body: []) : .status(status)
    }
    guard content.text("encoding") == "base64" else { return .response(status: status, body: Array(text.utf8)) }
    guard let body = decodedBase64(text) else {
      throw CaptureProblem("the answer's \"content\" is not base64, as its \"encoding\" says", at: location)
    }
    return .response(status: status, body: body)
  }

  private var announcesBody: Bool { headers["Content-Length"].flatMap { Int($0) } ?? 0 > 0 }
}
