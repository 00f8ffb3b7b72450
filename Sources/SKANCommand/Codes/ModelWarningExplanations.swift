import SKANCommandLine
import SKANModel

extension ModelWarning {
  /// A command that writes a model and checks it.
  private static func check(_ members: String) -> Reproduction {
    .shell("printf '%s' '{\(members)}' > model.json && skan model check model.json")
  }

  private static func fine(from revenue: String) -> String {
    #""fineGrainedConversionValueMappings":[{"fineGrainedConversionValue":1,"conversionValueMapping":{"mappedEvents":"#
      + #"[{"mappedEventName":"__REVENUE__","eventRevenueRange":{"minEventRevenue":\#(revenue)}}]}}]"#
  }

  private static let coarse =
    #""postbackMappings":[{"postbackSequenceIndex":0,"coarseGrainedConversionValueMappings":{"lowConversionValueMapping":"#
    + #"{"mappedEvents":[{"mappedEventName":"level_5"}]}}}]"#

  var explanation: CodeExplanation {
    switch self {
    case .noCoarseValue:
      CodeExplanation(
        "No window of the model has a coarse value. First postbacks with tier 1, and second and third postbacks with "
          + "any tier, can contain only a coarse value. Without one, they say nothing about a user.",
        cause: "The model was made for SKAdNetwork 3, or fitted with --coarse none.",
        example: Self.check(Self.fine(from: "5")),
        remedy: "Give each window coarse values: skan model fit chooses them.",
        articles: ["ConversionModels", "FittingModels"])
    case .windowWithoutCoarse:
      CodeExplanation(
        "A window has no coarse value, although others do. A second or third postback of that window, or a first "
          + "postback with tier 1, says nothing about a user.",
        cause: "The mappings of the window are missing in the file.",
        example: Self.check(Self.fine(from: "5") + "," + Self.coarse),
        remedy: "Give the window coarse values, or end the measurement before it (measurement_window_hours).",
        articles: ["ConversionModels", "Postbacks"])
    case .coarseWithoutFine:
      CodeExplanation(
        "The first window has coarse values and no fine value. A first postback with tier 2 or 3 has only a fine "
          + "value, and it is 0 for every user.",
        cause: "The model was made for small campaigns, whose tier is low.",
        example: Self.check(Self.coarse),
        remedy: "Give each user with a coarse value a fine value, too.", articles: ["ConversionModels", "Postbacks"])
    case .boundaryAtPrice:
      CodeExplanation(
        "A range of revenue begins at an amount that single precision rounds down. The snippet adds revenue in single "
          + "precision, in which 4.99 is 4.98999977: a user who pays exactly that is below the range.",
        cause: "The boundary is the price of a product.",
        example: Self.check(Self.fine(from: "4.99")),
        remedy: "Put the boundary between two prices, as skan model fit does.",
        articles: ["FittingModels", "KeptState"])
    }
  }
}
