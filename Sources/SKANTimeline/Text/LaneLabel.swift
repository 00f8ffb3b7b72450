/// What is written of a value in a row of the terminal's chart.
struct LaneLabel {
  /// From long to short.
  let texts: [String]
  /// Where the value begins to hold, and where its window ends or the present is.
  let start: Int
  let end: Int
  /// Of the last value of a window, the columns of the window: there it finds a place.
  let room: Range<Int>?

  func put(on strip: inout TextStrip) {
    if texts.contains(where: { strip.label($0, at: start, before: end) }) { return }
    guard let room, let short = texts.last else { return }
    // Beyond the present, or else before the value's own column.
    if texts.contains(where: { strip.label($0, at: start, before: room.upperBound) }) { return }
    for column in stride(from: min(start, room.upperBound - short.count), through: room.lowerBound, by: -1)
    where strip.label(short, at: column, before: room.upperBound) {
      return
    }
  }
}
