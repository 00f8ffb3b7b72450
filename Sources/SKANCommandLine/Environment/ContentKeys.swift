import SKANBase

/// The keys of the first object of a text, and of the objects in it.
///
/// The text need not be JSON to its end: a file that breaks off or is damaged further on has the same first keys. The
/// first object of JSON Lines is the first line that is not a comment, and that of an array is its first item.
struct ContentKeys {
  /// The keys in order.
  private(set) var names: [String] = []
  /// The keys of the objects in the first object, each after the key that holds it: `log.entries`.
  private(set) var paths: [String] = []

  /// Nil for a text that does not begin like an object or an array.
  init?(_ text: ArraySlice<UInt8>) {
    guard let start = text.firstIndex(where: { !$0.isLineSpace && $0 != 0x0A }),
      text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[")
    else { return nil }
    // Adjust's columns are called {idfv} and [own].
    if let second = text[(start + 1)...].first(where: { !$0.isLineSpace && $0 != 0x0A }), second.isASCIILetter {
      return nil
    }
    read(text[start...])
  }

  /// Reads until the first object ends.
  private mutating func read(_ text: ArraySlice<UInt8>) {
    // Whether each bracket that is open, from the first object's on, is that of an object.
    var open: [Bool] = []
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"): open.append(true)
      case UInt8(ascii: "["): if !open.isEmpty { open.append(false) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        if open.isEmpty { return }
      case UInt8(ascii: "\""):
        let start = position
        while position < text.endIndex, text[position] != byte {
          position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, text.endIndex)
        position = min(position + 1, text.endIndex)
        let next = text[position...].first { !$0.isLineSpace && $0 != 0x0A }
        if next == UInt8(ascii: ":") { add(String(decoding: text[start..<end], as: UTF8.self), in: open) }
      default: break
      }
    }
  }

  private mutating func add(_ name: String, in open: [Bool]) {
    switch open {
    case [true]: names.append(name)
    case [true, true]: paths.append("\(names.last ?? "").\(name)")
    default: break
    }
  }
}
