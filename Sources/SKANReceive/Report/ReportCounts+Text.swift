import SKANBase
import SKANDevice

/// How a report names things wherever a person reads it.
extension ReportTable.Kind {
  package var title: String {
    switch self {
    case .apple: "Apple's postbacks"
    case .development: "Development postbacks: any phone in Developer Mode can send them, for every app"
    case .simulated: "Simulated postbacks: signed with a tester's own key"
    case .unverified: "Not verified, and not counted: nothing vouches for what these say"
    }
  }
}

extension ReportDimension {
  package var heading: String { rawValue.replacing("-", with: " ") }
}

extension ReportCounts {
  /// The part of those that won and have no value: `12.5 %`; a dash when none won.
  package var shareText: String { withoutValue.percent(of: won) }

  /// What is said of all of them in words, a line a subject.
  package var remarks: [String] {
    var remarks: [String] = []
    if notWon > 0 { remarks.append("\(notWon) did not win: no installs, and without values by Apple's rules") }
    if oddValues > 0 { remarks.append("\(oddValues) with a value of another form than Apple's") }
    if decoded + undecoded + withoutModel > 0 {
      remarks.append(
        "values: \(decoded) decoded, \(undecoded) undecoded (not in the model), \(withoutModel) without a model"
      )
    }
    if duplicates + conflicts > 0 {
      remarks.append(
        "not counted: \(duplicates) duplicate\(duplicates == 1 ? "" : "s"), \(conflicts) in conflict with the first copy"
      )
    }
    return remarks
  }
}

extension RevenueSum {
  /// The upper end: `60.00`, `60.00 + 2 without end`.
  package var belowText: String {
    if openEnded == postbacks { return "no end" }
    return openEnded == 0 ? "\(below)" : "\(below) + \(openEnded) without end"
  }
}

extension EventSum {
  /// The upper end of the count.
  package var mostText: String {
    if most == 0 { return "no end" }
    return openEnded == 0 ? "\(most)" : "\(most) + \(openEnded) without end"
  }
}
