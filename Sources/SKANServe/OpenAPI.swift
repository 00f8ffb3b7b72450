import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// The OpenAPI 3.1 document of the service's paths, for `GET /openapi.json`.
///
/// It describes regular requests and answers. Scripted answers and faults are left out, because testers use them to
/// deviate from any description.
enum OpenAPI {
  /// The whole document.
  ///
  /// - Parameters:
  ///   - withPostbacks: whether the service accepts postbacks.
  ///   - withPage: whether it has the live page.
  static func document(withPostbacks: Bool, withPage: Bool = false) -> JSON {
    .object(members(paths: paths + (withPostbacks ? postbackPaths : []) + (withPage ? pagePaths : [])))
  }

  private static func members(paths: [(key: String, value: JSON)]) -> [(key: String, value: JSON)] {
    [
      ("openapi", .string("3.1.0")),
      (
        "info",
        .object([
          ("title", .string("skan serve")), ("version", .string("1")),
          (
            "description",
            .string(
              "A reference of Singular's conversion_value, launch and evt endpoints. Errors of a request's content come with "
                + "status 200 and \"status\":\"error\", as Singular's do.")
          ),
        ])
      ),
      ("paths", .object(paths)),
      (
        "components",
        .object([
          (
            "schemas",
            .object([("Values", values), ("Taken", taken), ("Error", error), ("Health", health), ("Status", status)])
          )
        ])
      ),
    ]
  }

  /// The answer with a phone's values.
  private static let values = object(
    [
      ("conversion_value", whole(0...63)), ("postback_sequence_index", whole(0...2)),
      ("skan_updated_coarse_value", whole(0...2)), ("skan_updated_lock_window_value", type("boolean")),
      ("status", constant("ok")),
    ], required: ["conversion_value", "status"])

  /// The answer to an accepted report; it has a value when the request has metadata and the server a model.
  private static let taken = object(
    [("conversion_value", whole(0...63)), ("status", constant("ok"))], required: ["status"])

  private static let error = object(
    [("reason", type("string")), ("status", constant("error"))], required: ["reason", "status"])

  private static let health = object(
    [("phones", whole(0...Int64(ReferenceService.phoneLimit))), ("status", constant("ok"))],
    required: ["phones", "status"])

  /// The answer of a path for postbacks.
  private static let status = object([("status", type("string"))], required: ["status"])

  // MARK: schemas

  private static func object(_ members: [(key: String, value: JSON)], required: [String]) -> JSON {
    .object([
      ("type", .string("object")), ("properties", .object(members)),
      ("required", .array(required.map(JSON.string))), ("additionalProperties", .bool(false)),
    ])
  }

  static func type(_ name: String) -> JSON { .object([("type", .string(name))]) }

  static func whole(_ range: ClosedRange<Int64>) -> JSON { number("integer", range) }

  static func number(_ type: String, _ range: ClosedRange<Int64>) -> JSON {
    .object([
      ("type", .string(type)), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
    ])
  }

  private static func constant(_ text: String) -> JSON { .object([("const", .string(text))]) }

  static func schema(_ name: String) -> JSON { .object([("$ref", .string("#/components/schemas/\(name)"))]) }
}

extension OpenAPI {
  /// Every path of ``ReferenceService``; a test compares the two.
  static let paths: [(key: String, value: JSON)] =
    EndpointAPI.allCases.map { (EndpointKind.conversionValue($0).path, conversion($0)) } + [
      (
        ReferenceService.testingPath,
        .object([
          (
            "get",
            operation(
              "Singular's test endpoint: 0, 1, 2, and then an empty body", parameters: [query("idfv", required: false)],
              // An empty body is not JSON, so there is no schema.
              answers: [("200", .object([("description", .string("The next value."))]))])
          )
        ])
      )
    ] + EndpointKind.reports.map { ($0.path, report($0)) } + [
      ("/healthz", .object([("get", operation("whether the server runs", answers: [("200", json("Health"))]))])),
      (
        "/journal",
        .object([
          (
            "get",
            operation(
              "the last requests and answers, a line each", answers: [("200", content("application/jsonl", [:]))])
          ), ("delete", operation("empties the journal", answers: [("204", described("Empty."))])),
        ])
      ),
      (
        "/openapi.json",
        .object([
          ("get", operation("this", answers: [("200", content("application/json", ["schema": type("object")]))]))
        ])
      ),
    ]

  /// The paths that are open when the service keeps postbacks.
  static let postbackPaths: [(key: String, value: JSON)] = {
    let body = JSON.object([
      ("required", .bool(true)), ("content", .object([("application/json", .object([("schema", type("object"))]))])),
    ])
    let post = { (summary: String, retryStatus: String) in
      ("post", operation(summary, body: body, answers: [("200", json("Status")), (retryStatus, refusal)]))
    }
    let get = ("get", operation("whether the path is open", answers: [("200", json("Status"))]))
    return PostbackHandler.developerPaths.map { ($0, .object([post("Apple's copy of a postback", "503"), get])) }
      + [(PostbackHandler.forwardedPath, .object([post("a postback that an ad network forwards", "503")]))]
      + PostbackHandler.adAttributionKitPaths.map {
        ($0, .object([post("Apple's copy of a postback of AdAttributionKit", "500"), get]))
      }
  }()

  /// The paths of the live page. Only the page itself may ask for data.
  static let pagePaths: [(key: String, value: JSON)] = {
    let ok = "200"
    func get(_ path: String, _ summary: String, _ names: [String] = [], _ answer: JSON) -> (String, JSON) {
      (
        path,
        .object([
          ("get", operation(summary, parameters: names.map { query($0, required: false) }, answers: [(ok, answer)]))
        ])
      )
    }
    func file(_ type: String) -> JSON { content(type, [:]) }
    func object(_ form: JSONForm) -> JSON { content("application/json", ["schema": form.json]) }
    let phone = ["app", "kind", "id"]
    let pending = object([Trouble].jsonForm)
    let body = JSON.object([("content", .object([("application/json", .object([("schema", Trouble.askedForm.json)]))]))]
    )
    let trouble = JSON.object([
      ("get", operation("the trouble that is pending", answers: [(ok, pending)])),
      (
        "post", operation("asks for trouble with the next answer to a phone", body: body, answers: [(ok, pending)])
      ),
      (
        "delete",
        operation(
          "takes trouble back", parameters: [query("id", required: true)], answers: [(ok, pending), ("404", refusal)])
      ),
    ])
    return [
      get("/", "the live page", [], file("text/html")), get("/page.css", "its style", [], file("text/css")),
      get("/page.js", "its script", [], file("text/javascript")),
      get("/events", "each request as it comes, as Server-Sent Events", [], file("text/event-stream")),
      get("/page/setup", "rules, faults, parameters and models", [], object(PageSetup.jsonForm)),
      get("/page/phone", "a phone's life: its drawing and its list", phone, object(PageLife.jsonForm)),
      get(
        "/page/request", "a request as a command, and its answer laid out", ["n", "origin"],
        object(PageRequest.jsonForm)),
      get("/page/list", "an event list of a phone, or of all", phone, file("application/jsonl")),
      get("/page/svg", "the drawing of a phone's life", phone, file("image/svg+xml")),
      get("/page/report", "a report of all phones", [], file("text/html")),
      get("/page/postbacks", "the postbacks since the server started", [], object(PagePostbacks.Shown.jsonForm)),
      ("/page/trouble", trouble),
      (
        "/favicon.ico",
        .object([("get", operation("nothing, for browsers", answers: [("204", described("Empty."))]))])
      ),
    ]
  }()

  /// The snippet's request.
  private static func conversion(_ api: EndpointAPI) -> JSON {
    let names = QueryParameter.allCases.filter { $0.isSent(in: api) }.map(\.name)
    return .object([
      (
        "get",
        operation(
          "the next values for a phone",
          parameters: names.map {
            query($0, required: RequestParameter.named($0)?.required.contains(.conversionValue(api)) ?? false)
          } + [deviceTime],
          answers: [("200", json("Values", "Error"))])
      )
    ])
  }

  /// A report of an app's server, in a query or in a form.
  private static func report(_ endpoint: EndpointKind) -> JSON {
    let summary = endpoint.isEvent ? "an event that an app's server reports" : "a session that it reports"
    let rows = RequestParameter.all.filter { $0.endpoints.contains(endpoint) }
    let form = JSON.object([
      ("type", .string("object")), ("properties", .object(rows.map { ($0.name, type("string")) })),
      ("required", .array(rows.filter { $0.required.contains(endpoint) }.map { .string($0.name) })),
    ])
    let body = JSON.object([
      ("content", .object([("application/x-www-form-urlencoded", .object([("schema", form)]))]))
    ])
    let answers = [("200", json("Taken", "Error"))]
    return .object([
      (
        "get",
        operation(
          summary, parameters: rows.map { query($0.name, required: $0.required.contains(endpoint)) } + [deviceTime],
          answers: answers)
      ), ("post", operation(summary, parameters: [deviceTime], body: body, answers: answers)),
    ])
  }

  private static let deviceTime = JSON.object([
    ("name", .string(ReferenceEndpoint.deviceTimeHeader)), ("in", .string("header")),
    (
      "description", .string("The phone's clock in Unix seconds, also with a fraction; without it the server's counts.")
    ),
    ("schema", number("number", -62_135_596_800...253_402_300_799)),
  ])

  private static func query(_ name: String, required: Bool) -> JSON {
    .object([
      ("name", .string(name)), ("in", .string("query")), ("required", .bool(required)), ("schema", type("string")),
    ])
  }

  /// - Parameter answers: the answers by status; every operation also has the refusals of a broken request and of
  ///   another site.
  private static func operation(
    _ summary: String, parameters: [JSON] = [], body: JSON? = nil, answers: [(key: String, value: JSON)]
  ) -> JSON {
    .object(
      [("summary", .string(summary)), ("parameters", .array(parameters))] + (body.map { [("requestBody", $0)] } ?? [])
        + [("responses", .object(answers + [("400", refusal), ("403", refusal), ("4XX", described("Not HTTP."))]))])
  }

  private static let refusal = json("Error")

  private static func described(_ text: String) -> JSON { .object([("description", .string(text))]) }

  private static func json(_ schemas: String...) -> JSON {
    content(
      "application/json",
      ["schema": schemas.count == 1 ? schema(schemas[0]) : .object([("oneOf", .array(schemas.map(schema)))])])
  }

  private static func content(_ type: String, _ members: [String: JSON]) -> JSON {
    .object([
      ("description", .string("The answer.")),
      ("content", .object([(type, .object(members.map { ($0.key, $0.value) }))])),
    ])
  }
}
