extension FrameWriter {
  mutating func put(_ request: HTTPRequest) {
    put(request.method)
    put(request.target.text)
    put(request.headers)
    put(request.body)
  }

  mutating func put(_ response: HTTPResponse) {
    put(response.status)
    put(response.headers)
    put(response.body)
  }

  mutating func put(_ exchange: HTTPExchange) {
    put(exchange.response)
    put(exchange.url)
    put(all: exchange.hops) { writer, hop in
      writer.put(hop.request)
      writer.put(hop.response) { $0.put($1) }
    }
    put(exchange.seconds)
  }

  private mutating func put(_ headers: HTTPFields) {
    put(all: headers) { writer, field in
      writer.put(field.name)
      writer.put(field.value)
    }
  }
}
