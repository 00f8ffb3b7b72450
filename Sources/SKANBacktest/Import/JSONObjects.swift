import SKANBase
import SKANRun

/// Reads the beginning of an input of JSON objects: finds its columns, and whether it is an event list.
struct JSONObjects {
  /// The most objects in which columns are looked for. Writers leave out members without a value, so the first object
  /// alone need not have all of them.
  static let mostExamined = 1000
  /// About how many bytes are read for them at most.
  private static let mostBytes = 4 << 20

  private let source: ByteSource
  private let file: String
  private let index: Int
  private let blockSize: Int

  init(_ source: ByteSource, file: String, index: Int, blockSize: Int) {
    self.source = source
    self.file = file
    self.index = index
    self.blockSize = blockSize
  }

  /// - Parameters:
  ///   - text: the first bytes, which contain the first object if each object is a line.
  ///   - line: the number of its first line.
  ///   - all: all bytes that were read, for an event list.
  func input(
    _ text: ArraySlice<UInt8>, _ line: Int, _ form: JSONElements.Form, all: [UInt8] = []
  ) throws(ExportFailure) -> ExportInput? {
    if form == .lines, try object(text.prefix { $0 != 0x0A }, line).member("op") != nil {
      return .eventList(source.preceded(by: all))
    }
    let whole = source.preceded(by: Array(text))
    let elements = form == .elements ? JSONElements(whole, line: line) : nil
    let lines = elements?.lines ?? whole
    let (bytes, isAtEnd): ([UInt8], Bool)
    do throws(SourceFailure) { (bytes, isAtEnd) = try beginning(of: lines) } catch { throw .source(error) }
    if isAtEnd, let problem = elements?.problem { throw .content(line: problem.line, message: problem.message) }
    let (columns, isEmpty) = try columns(bytes, isAtEnd: isAtEnd, line, isList: form == .elements)
    if isEmpty { return nil }
    let layout = ExportLayout(format: .jsonLines, columns: columns, file: file, fileIndex: index)
    return .rows(
      ExportBlocks(layout, lines, elements: elements, rest: bytes, line: line, blockSize: blockSize))
  }

  /// The first lines.
  private func beginning(of lines: ByteSource) throws(SourceFailure) -> ([UInt8], isAtEnd: Bool) {
    var bytes: [UInt8] = []
    var count = 0
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { unsafe piece.deallocate() }
    while count < Self.mostExamined, bytes.count < Self.mostBytes || count == 0 {
      let read = try unsafe lines.read(piece)
      if read == 0 { return (bytes, true) }
      unsafe bytes += piece[..<read]
      unsafe count += piece[..<read].count { $0 == 0x0A }
    }
    return (bytes, false)
  }

  /// The columns of the first objects, each where it first occurs.
  ///
  /// - Throws: for a first line that is not an object, and for an event list that is not written as lines.
  private func columns(
    _ bytes: [UInt8], isAtEnd: Bool, _ line: Int, isList: Bool
  ) throws(ExportFailure) -> ([String], isEmpty: Bool) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if !isAtEnd { lines.removeLast() }
    var columns: [String] = []
    var known: Set<String> = []
    var count = 0
    for (offset, text) in lines.enumerated() where !text.allSatisfy(\.isLineSpace) {
      if count == Self.mostExamined { break }
      count += 1
      let node: JSONNode
      if count == 1 {
        node = try object(text, line + offset)
        if isList, node.member("op") != nil {
          throw .content(
            line: line + offset, message: "this is an event list, of which each step is a line: jq -c makes them")
        }
      } else {
        // A line that is not JSON is rejected when its row is read.
        guard let read = try? JSONReader.read(text, dialect: .export) else { continue }
        node = read
      }
      for path in Self.paths(node) where known.insert(path).inserted { columns.append(path) }
    }
    return (columns, count == 0)
  }

  private func object(_ line: ArraySlice<UInt8>, _ number: Int) throws(ExportFailure) -> JSONNode {
    do throws(JSONError) { return try JSONReader.read(line, dialect: .export) } catch {
      throw .content(line: number, message: "not JSON: \(error.message)")
    }
  }

  /// The names of an object's members, and paths of members of its objects.
  private static func paths(_ object: JSONNode) -> [String] {
    guard case .object(let members) = object.content else { return [] }
    return members.flatMap { member in
      guard case .object(let inner) = member.value.content else { return [member.key] }
      return inner.map { "\(member.key).\($0.key)" }
    }
  }
}
