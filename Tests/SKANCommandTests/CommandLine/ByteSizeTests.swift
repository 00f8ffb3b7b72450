import SKANDevice
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Numbers of bytes")
struct ByteSizeTests {
  @Test(
    "As they are read",
    arguments: [
      ("0", 0), ("65536", 65536), ("7B", 7), ("64KiB", 65536), ("1MiB", 1 << 20), ("2GiB", 2 << 30),
      ("", nil), ("KiB", nil), ("1KB", nil), ("-1", nil), ("1.5MiB", nil), ("1 KiB", nil), ("٣", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("9007199254740992KiB", nil),
    ] as [(String, Int?)])
  func read(text: String, bytes: Int?) { #expect(ByteSize(text)?.bytes == bytes) }

  @Test(
    "As they are written: in the largest unit that leaves a whole number",
    arguments: [
      (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1025, "1025 bytes"), (3 << 20, "3 MiB"),
      (1 << 30, "1 GiB"), (1 << 30 | 1 << 10, "1048577 KiB"),
    ] as [(Int, String)])
  func written(bytes: Int, text: String) { #expect(ByteSize(bytes: bytes).text == text) }

  @Test("An option names its bounds", arguments: ["0", "2GiB", "99999999999999999999GiB", "much"])
  func bounds(text: String) {
    let run = World().run("session --max-answer \(text)")
    #expect(run.code == .usage)
    #expect(run.err.hasPrefix("skan: --max-answer must be "), "\(run.err)")
  }
}
