import Testing

@testable import SKANDevice

@Suite("Attempts to deliver a postback")
struct DeliveryTests {
  private static let postback: Postback? = {
    var life = Life()
    for hours in [0.0, 50, 200] { life.update(1, .low, at: hours) }
    return life.postbacks(at: 1000).first
  }()

  private static func attempt(
    _ id: String, _ window: ConversionWindow = .p0, _ recipient: Delivery.Recipient = .network, status: Int64 = 200
  ) -> Delivery {
    Delivery(
      at: h(80), transactionID: id, window: window, recipient: recipient, url: "http://localhost/",
      result: .answered(status: status))
  }

  @Test("An attempt counts for the postback of its transaction, window and recipient, and for no other")
  func whose() throws {
    let postback = try #require(Self.postback)
    let departure = try #require(postback.sendsAt)
    let id = try #require(postback.content?.transactionID)
    let other = id.reversed().map(String.init).joined()
    func next(_ attempts: [Delivery], _ recipient: Delivery.Recipient = .network) -> Double? {
      Delivery.nextAttempt(of: postback, to: recipient, after: attempts)?.since(departure).seconds
    }
    #expect(next([]) == 0 && next([Self.attempt(id)]) == nil)
    for foreign in [Self.attempt(other), Self.attempt(id, .p1), Self.attempt(id, .p0, .developer), Self.attempt("")] {
      #expect(!foreign.isOf(postback) || foreign.recipient == .developer)
      #expect(next([foreign]) == 0)
    }
    #expect(next([Self.attempt(id, .p0, .developer)], .developer) == nil)
  }

  @Test("After each attempt that did not arrive a day passes; after the tenth it is given up")
  func retries() throws {
    let postback = try #require(Self.postback)
    let departure = try #require(postback.sendsAt)
    let failed = Self.attempt(try #require(postback.content?.transactionID), status: 503)
    for count in 0..<12 {
      let next = Delivery.nextAttempt(of: postback, to: .network, after: Array(repeating: failed, count: count))
      #expect(next.map { $0.since(departure).seconds } == (count < 10 ? Double(count) * 86_400 : nil))
    }
  }
}
