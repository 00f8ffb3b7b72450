import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SKANHTTP
@testable import skan_http

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What the delegate replies to a redirect", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct HTTPSessionDelegateTests {
  private final class Replies: Sendable {
    let list = Mutex<[URLRequest?]>([])
  }

  private let delegate = HTTPSessionDelegate()
  private let call: HTTPCall
  private let url: URL
  private let task: URLSessionTask

  init() throws {
    let text = "http://127.0.0.1/a"
    call = HTTPCall(address: try URLParts(text).address, bodyLimit: 0)
    url = try #require(URL(string: text))
    task = URLSession.shared.dataTask(with: url)
  }

  private func replies() throws -> [URLRequest?] {
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: ["Location": "/b"]))
    let replies = Replies()
    delegate.urlSession(
      URLSession.shared, task: task, willPerformHTTPRedirection: response, newRequest: URLRequest(url: url)
    ) { request in replies.list.withLock { $0.append(request) } }
    return replies.list.withLock { $0 }
  }

  @Test("That it is not followed")
  func notFollowed() throws {
    delegate.add(call, for: task)
    #expect(try replies() == [nil])
  }

  @Test("Nothing when the call is over: a reply to a task that has been cancelled would end the process on Linux")
  func over() throws {
    delegate.add(call, for: task)
    delegate.removeCall(for: task)
    #expect(try replies().isEmpty)
  }
}
