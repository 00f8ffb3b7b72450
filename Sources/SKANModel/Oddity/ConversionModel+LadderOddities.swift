import SKANDevice
import SKANBase

extension ConversionModel {
  /// Fine values that stand for a lower coarse value of the first postback than a lower fine value does.
  ///
  /// A user who goes on from the one to the other gives an advertiser who sees coarse values alone the worse value. A fine
  /// value that stands for no coarse value says nothing of the ladders.
  var contradictions: [ModelOddity] {
    let standing = coarseByFine
    var highest: (fine: Int64, coarse: Int64)?
    var seen: Set<Int64> = []
    return fine.sorted { $0.value < $1.value }.compactMap { fine in
      guard seen.insert(fine.value).inserted, let coarse = standing[Int(fine.value)] else { return nil }
      guard let above = highest, coarse < above.coarse else {
        highest = (fine.value, coarse)
        return nil
      }
      return ModelOddity(
        "fine value \(fine.value) stands for coarse value \(Self.coarseName(coarse)) of postback 0, and the lower fine value "
          + "\(above.fine) for \(Self.coarseName(above.coarse)): the two ladders contradict each other",
        at: fine.mapping.range)
    }
  }

  private static func coarseName(_ number: Int64) -> String { CoarseValue(.integer(number))?.rawValue ?? "none" }

  /// That a model of fine values gives no coarse one. It is no mistake of a model in the making, which is why it is apart from
  /// ``problems``.
  var missingCoarse: SourceProblem? {
    guard givesOnlyFineValues else { return nil }
    return SourceProblem("there is no coarse value: \(Self.lostWithoutCoarse)", at: 0..<1)
  }

  /// Whether it has fine values and no coarse one.
  package var givesOnlyFineValues: Bool {
    !fine.isEmpty && ConversionWindow.allCases.allSatisfy { windows[$0].coarse.isEmpty }
  }

  /// What a model without coarse values cannot tell.
  package static var lostWithoutCoarse: String {
    "first postbacks of tier 1, and second and third postbacks of any tier, tell nothing of a user"
  }

  /// How many of the fine values 1 to 63 no mapping gives; 0 of a model without fine values. Nothing is wrong about them: 0 is
  /// what a user without any has, and most plans use fewer.
  package var unusedFineValues: Int {
    fine.isEmpty ? 0 : 63 - Set(fine.map(\.value).filter { $0 > 0 }).count
  }
}
