import TestSupport
import Testing

/// All tests that ask a server.
///
/// One after another, as the command line does it: on Linux the first requests that begin at the same time can stall
/// for a second, which would spoil measured times.
@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits, .serialized)
enum HTTPTests {}
