import SKANDevice

extension ConversionModel {
  /// By fine value, 0-63: the highest coarse value of the first window whose mapping holds whenever the fine value's does,
  /// by its number. Who has the fine value has had this coarse value too.
  var coarseByFine: [Int64?] {
    let steps = windows[.p0].coarse.map { ($0.value.number, ModelRegion($0.mapping, hours: hours(of: .p0))) }
    var standing = [Int64?](repeating: nil, count: 64)
    var seen: Set<Int64> = []
    for fine in fine {
      let region = ModelRegion(fine.mapping, hours: hours(of: .p0))
      // A value that never comes stands for nothing.
      if region.isEmpty { continue }
      let coarse = steps.last { region.isWithin($0.1) }?.0
      let index = Int(fine.value)
      // Mapped twice it stands for what both stand for.
      if seen.insert(fine.value).inserted {
        standing[index] = coarse
      } else if let other = standing[index] {
        standing[index] = coarse.map { min($0, other) }
      }
    }
    return standing
  }
}
