extension ListReader {
  /// What a file is instead of a list, by its first line.
  static func noList(_ beginning: UnsafeBufferPointer<UInt8>) -> String? {
    if unsafe beginning.starts(with: [0x1F, 0x8B]) {
      return "this is compressed with gzip; unpack it first, as in 'gunzip -c FILE | skan replay -'"
    }
    if unsafe beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
      return "this is UTF-16; a list is UTF-8"
    }
    // As other tools write JSON for people.
    switch unsafe String(decoding: beginning.prefix(8), as: UTF8.self).filter({ !$0.isWhitespace }) {
    case "[":
      return "this is an array over several lines; a list has one step a line, which jq -c '.[]' FILE makes of it"
    case "{": return "this is a step over several lines; a list has one step a line, which jq -c . FILE makes of it"
    default: return nil
    }
  }
}
