import Foundation
import SKANHTTP
import SKANBase
import Testing

@testable import SKANServe

@Suite("/openapi.json")
struct OpenAPITests {
  @Test("Every path and method of the service is described, and no other", arguments: [false, true])
  func paths(takesPostbacks: Bool) throws {
    let keeper = PostbackKeeper(receive: { _, _ in { .kept(verdict: "") } }, commit: {})
    let service = try TestService(postbacks: takesPostbacks ? keeper : nil)
    let text = try service.ask("/openapi.json")
    #expect(text.status == 200 && text.contentType == "application/json")
    let document = try JSONReader.read(text.body).value
    guard case .object(let paths)? = document.member("paths") else {
      Issue.record("no paths")
      return
    }
    // The list of a message about an unknown path.
    let known = try service.ask("/nowhere").text
    for (path, item) in paths {
      #expect(known.contains(path))
      guard case .object(let methods) = item else { continue }
      let allowed = try #require(service.ask(path, method: "PATCH").allow).components(separatedBy: ", ")
      #expect(Set(allowed) == Set(methods.map { $0.key.uppercased() }), "\(path)")
    }
    #expect(paths.count == known.components(separatedBy: " /").count - 1)
  }

  @Test func `The phone's clock may have a fraction, as skan sends it`() throws {
    let text = try TestService().ask("/openapi.json").text
    let parts = text.split(separator: #""name":"X-SKAN-Device-Time","#)
    #expect(parts.count > 5)
    for part in parts.dropFirst() {
      #expect(
        part.contains(/^"schema":\{"maximum":253402300799,"minimum":-62135596800,"type":"number"\}/),
        "\(part.prefix(200))")
    }
    #expect(try TestService().askV2(time: "1767225600.5").text.contains(#""status":"ok""#))
  }

  @Test("Answers are as they are described")
  func answers() throws {
    let service = try TestService()
    let schemas = try #require(OpenAPI.document(withPostbacks: true).member("components")?.member("schemas"))
    for (text, name) in [
      (try service.askV2().text, "Values"), (try service.ask("/api/v1/launch", "a=K&p=iOS&i=x&idfv=V").text, "Taken"),
      (try service.ask("/api/v1/launch").text, "Error"), (try service.ask("/healthz").text, "Health"),
    ] {
      guard case .object(let members) = try JSONReader.read(Array(text.utf8)).value,
        case .object(let properties)? = schemas.member(name)?.member("properties")
      else {
        Issue.record("no object")
        continue
      }
      #expect(Set(members.map(\.key)).isSubset(of: properties.map(\.key)), "\(name)")
    }
  }
}

extension JSON {
  /// A member of an object.
  fileprivate func member(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == name }?.value
  }
}
