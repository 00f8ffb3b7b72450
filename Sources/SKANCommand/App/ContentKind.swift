import SKANBase
import SKANRun

/// The kind of a file, recognized by its keys. Messages name it when a file is given in the place of another.
enum ContentKind: Equatable {
  case eventList, model, deviceFile, receivedFile

  /// The size in bytes above which a file is not examined.
  static let mostBytes = 16 << 20

  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes else { return nil }
    if let line = bytes.split(separator: 0x0A).first(where: { !EventListReader.isSkipped($0) }),
      let node = try? JSONReader.read(line)
    {
      if node.member("op") != nil {
        self = .eventList
        return
      }
      if node.member("received_at") != nil, node.member("body") != nil {
        self = .receivedFile
        return
      }
    }
    guard let node = try? JSONReader.read(bytes) else { return nil }
    let model = [
      "schema", "postback_mappings", "postbackMappings", "fine_grained_conversion_value_mappings",
      "fineGrainedConversionValueMappings",
    ]
    if model.contains(where: { node.member($0) != nil }) {
      self = .model
    } else if node.member("profile") != nil, node.member("kept") != nil {
      self = .deviceFile
    } else {
      return nil
    }
  }

  /// Recognizes a file by its first bytes, if it is of a kind whose content cannot be recreated.
  init?(beginning bytes: [UInt8]) {
    if let line = bytes.split(separator: 0x0A).first, let node = try? JSONReader.read(Array(line)) {
      guard node.member("received_at") != nil, node.member("body") != nil else { return nil }
      self = .receivedFile
      return
    }
    // A device file spans many lines and begins with these two members.
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.first == "{", text.contains("\"profile\""), text.contains("\"kept\"") else { return nil }
    self = .deviceFile
  }

  /// Whether a file that begins with these bytes can be a journal of `skan serve`. An empty file can.
  static func isJournal(beginning bytes: [UInt8]) -> Bool {
    guard let line = bytes.split(separator: 0x0A).first else { return true }
    guard let node = try? JSONReader.read(Array(line)) else {
      // The line is truncated, either in the file or where these bytes end.
      let start = "{\"answer\":\"".utf8
      return line.starts(with: start) || line.count > 1 && start.starts(with: line)
    }
    return isJournal(line: node)
  }

  private static func isJournal(line: JSONNode) -> Bool {
    ["explanation", "path", "status"].allSatisfy { line.member($0) != nil }
  }

  /// The message that names what a file contains instead of what is expected; nil for unknown content.
  static func message(of bytes: [UInt8], file: String) -> String? {
    if let kind = ContentKind(bytes) { return kind.text(file) }
    guard let line = bytes.split(separator: 0x0A).first, let node = try? JSONReader.read(Array(line)) else {
      return nil
    }
    if ["transaction-id", "jws-string"].contains(where: { node.member($0) != nil }) {
      return "these are postbacks as they are sent; 'skan receive \(file)' verifies and keeps them"
    }
    return isJournal(line: node) ? "this is a journal of 'skan serve'; 'skan check \(file)' checks it" : nil
  }

  /// Returns the message for a file that should be an event list.
  static func messageOfNoList(_ bytes: [UInt8], file: String) -> String? {
    switch ContentKind(bytes) {
    case .eventList: return nil
    case .deviceFile:
      return
        "this is a device file; --state takes it: 'skan timeline --state \(file)' draws its phone, and 'skan replay "
        + "--state \(file) LIST' continues it"
    default: break
    }
    if let message = message(of: bytes, file: file) { return "\(message)\(isCapture(bytes) ? toList : "")" }
    guard let node = try? JSONReader.read(bytes), node.member("log")?.member("entries") != nil else { return nil }
    return "this is a capture (HAR); 'skan check \(file)' checks it\(toList)"
  }

  private static let toList = ", and its --to-list makes a list of it"

  /// Whether the bytes are a journal, which `skan check` can turn into a list.
  private static func isCapture(_ bytes: [UInt8]) -> Bool {
    ContentKind(bytes) == nil && isJournal(beginning: bytes)
  }

  /// The message that names this content and the command or option that takes it.
  func text(_ file: String) -> String {
    switch self {
    case .eventList: "this is an event list; 'skan replay \(file)' runs it"
    case .model: "this is a conversion model; 'skan model check \(file)' checks it, --model takes it"
    case .receivedFile: "this is a file of received postbacks; 'skan report \(file)' counts them"
    case .deviceFile: "this is a device file; --state takes it"
    }
  }

  /// Throws if the file holds one of these kinds of content, but not the expected one.
  ///
  /// - Parameter kind: the expected content; nil for any other.
  static func check(_ bytes: [UInt8], of file: String, shouldBe kind: ContentKind? = nil) throws(CommandError) {
    guard let found = ContentKind(bytes), found != kind else { return }
    let location = TextLocation(of: 0..<0, in: [])
    throw .content(file: file, [SourceNote(location: location, message: found.text(file.oneLine))])
  }
}

extension FileAccess {
  /// Returns a message that names the kind of a file given in the place of an event list; nil for unknown content.
  ///
  /// - Parameter firstLine: the first line of the file. Only this line is examined for standard input and pipes.
  func contentOfNoList(_ name: String, _ firstLine: [UInt8]) -> String? {
    if let message = ContentKind.messageOfNoList(firstLine, file: name.oneLine) { return message }
    guard name != "-", let whole = head(of: name, atMost: ContentKind.mostBytes) else { return nil }
    return ContentKind.messageOfNoList(whole, file: name.oneLine)
  }

  private static let listSuffix = ".jsonl"

  /// Returns a hint for an event list that does not exist.
  func hint(forMissingList name: String) -> String {
    hint(forMissing: name, suffix: Self.listSuffix, else: "name an event list, or - for standard input")
  }

  /// Returns a hint for a file that does not exist: the nearest name of its kind in its directory, if one is near.
  ///
  /// - Parameters:
  ///   - suffix: the end of the names of this kind; nil for that of the name itself.
  ///   - hint: the hint if none is near.
  func hint(forMissing path: String, suffix: String? = nil, else hint: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = String(path.dropFirst(folder.count))
    let suffix = suffix ?? name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    let entries = (try? entries(folder.isEmpty ? "." : folder)) ?? []
    let names = entries.filter { $0.isNamed && !$0.isDirectory && $0.name.hasSuffix(suffix) }.map(\.name)
    // The suffix, which all names share, does not make them alike.
    let stem = { (name: String) in name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name }
    let near = nearestName(to: stem(name), in: names.map(stem))
    return near.map { "did you mean \(folder.oneLine)\($0.oneLine)\(suffix.oneLine)?" } ?? hint
  }

  /// The number of bytes that suffice to recognize a file.
  private static let headSize = 1 << 16

  /// Throws if an output file cannot be written, or if writing it would overwrite content that cannot be recreated: a
  /// device file or received postbacks.
  func requireOutput(_ path: String) throws(CommandError) {
    try requireReplaceable(path)
    guard let head = head(of: path), let kind = ContentKind(beginning: head) else { return }
    let what: String? =
      switch kind {
      case .deviceFile: "it is a phone's device file"
      case .receivedFile: "it holds received postbacks"
      case .eventList, .model: nil
      }
    if let what { throw .cannotWrite(file: path, reason: "\(what), which would be lost; name another file") }
  }

  /// The first bytes of a file; nil if the file does not exist or is not a regular file.
  func head(of path: String, atMost size: Int = FileAccess.headSize) -> [UInt8]? {
    do throws(SourceFailure) {
      let source = try openFile(path)
      guard source.isRegular else { return nil }
      var head: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headSize, alignment: 1)
      defer { unsafe buffer.deallocate() }
      while head.count < size {
        let count = try unsafe source.read(buffer)
        if count == 0 { break }
        unsafe head += buffer.prefix(count)
      }
      return head
    } catch {
      return nil
    }
  }
}
