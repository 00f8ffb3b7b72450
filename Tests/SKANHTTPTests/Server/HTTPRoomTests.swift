import Testing

@testable import SKANHTTP

@Suite("Who goes when there is no room") struct HTTPRoomTests {
  typealias Wait = HTTPConnection.Wait

  private static func connection(_ wait: Wait, number: Int, isSurplus: Bool = false) -> HTTPConnection {
    let connection = HTTPConnection(
      descriptor: -1, peer: "", index: 0, isSurplus: isSurplus, limits: HTTPLimits(), deadline: 0)
    connection.wait = wait
    connection.waitNumber = number
    return connection
  }

  /// The limit, what connections wait for in the order in which they began to, and the order in which they go.
  private static let cases: [(limit: Int, waits: [Wait], order: [Int])] = [
    (4, [], []), (4, [.none, .answer], []),
    (4, [.head, .first, .head, .first], [0, 1, 2, 3]),
    (4, [.idle, .body, .output, .idle], [0, 1, 2, 3]),
    // Those that have their last answer go first, however short they wait.
    (4, [.head, .idle, .answer, .linger], [3, 1, 0]),
    // An unfinished head goes before all others, as long as there are more of them than a quarter.
    (8, [.idle, .body, .head, .idle, .first, .head, .head], [2, 4, 0, 1, 3, 5, 6]),
    (8, [.idle, .idle, .idle, .idle, .idle, .idle, .head, .first], [0, 1, 2, 3, 4, 5, 6, 7]),
    (8, [.output, .idle, .idle, .idle, .idle, .head, .head, .first], [5, 0, 1, 2, 3, 4, 6, 7]),
    (1, [.head], [0]), (1, [.idle], [0]),
  ]

  @Test(arguments: cases.indices)
  func order(index: Int) {
    let (limit, waits, order) = Self.cases[index]
    let connections = waits.enumerated().map { Self.connection($1, number: $0) }
    var room = HTTPRoom(limit: limit)
    var gone: [Int] = []
    // The order in which the server has them says nothing.
    while let next = room.next(of: connections.reversed()) { gone.append(next.waitNumber) }
    #expect(gone == order)
  }

  @Test func `Surplus connections take nobody's place`() {
    var room = HTTPRoom(limit: 1)
    #expect(room.next(of: [Self.connection(.linger, number: 1, isSurplus: true)]) == nil)
  }
}
