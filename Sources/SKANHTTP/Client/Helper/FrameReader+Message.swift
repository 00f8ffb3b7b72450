extension FrameReader {
  mutating func request() throws(Malformed) -> HTTPRequest {
    let method = try text()
    let target = HTTPTarget(try text())
    let headers = try headers()
    return HTTPRequest(method: method, target: target, headers: headers, body: try data())
  }

  mutating func response() throws(Malformed) -> HTTPResponse {
    let status = try number()
    let headers = try headers()
    return HTTPResponse(status: status, headers: headers, body: try data())
  }

  mutating func exchange() throws(Malformed) -> HTTPExchange {
    let response = try response()
    let url = try text()
    let hops = try all { (reader) throws(Malformed) in
      let request = try reader.request()
      return HTTPHop(request, try reader.optional { (reader) throws(Malformed) in try reader.response() })
    }
    return HTTPExchange(response, url: url, hops: hops, seconds: try double())
  }

  private mutating func headers() throws(Malformed) -> HTTPFields {
    HTTPFields(
      try all { (reader) throws(Malformed) in
        let name = try reader.text()
        return HTTPField(name, try reader.text())
      })
  }
}
