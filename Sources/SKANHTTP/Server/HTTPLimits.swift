/// How much one client, and all of them together, may ask of a server. Sizes are in bytes, times in seconds.
package struct HTTPLimits: Equatable, Sendable {
  /// The longest request line with its line end; a longer one gets 414.
  package var requestLine = 16 * 1024
  /// The longest request line and header lines together; longer ones get 431.
  package var head = 32 * 1024
  /// The most header lines; more get 431.
  package var fields = 100
  /// The longest request body; a longer one gets 413 before it is read. What surrounds the chunks of one, beyond 16 bytes
  /// a chunk, may be as long as ``head``, and there are at most ``fields`` trailer lines; more gets 431.
  package var body = 1024 * 1024
  /// The most connections at a time. For a further one the connection goes that can best be spared (``HTTPRoom``); it
  /// gets 503 where none can.
  package var connections = 1000
  /// The most bytes held for all connections together: what is read and not yet answered, answered and not yet sent.
  /// Beyond it those that hold most of it go whose clients do not send or read, and where there are none requests get 503.
  package var buffered = 64 * 1024 * 1024
  /// From a request's first byte, or from the connect when none comes, to the end of its header lines.
  package var headSeconds = 10.0
  /// From the end of the header lines to the end of the body.
  package var bodySeconds = 30.0
  /// From an answer to the next request on the same connection.
  package var idleSeconds = 60.0
  /// For each 64 KiB of an answer: a client that reads slower is dropped.
  package var writeSeconds = 10.0
  /// How long a closed connection is still read, so that the answer is not lost (see ``HTTPServer``).
  package var lingerSeconds = 1.0
  /// How long a stopped server goes on with the answers that are under way.
  package var stopSeconds = 5.0
  /// The longest delay of an answer; a longer one is shortened to it.
  package var delaySeconds = 600.0

  /// The limits of a server for people who test apps: generous for them, and harmless for the machine.
  package init() {}
}
