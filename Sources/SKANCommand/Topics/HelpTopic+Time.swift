extension HelpTopic {
  static var aboutTime: [HelpSection] {
    [
      HelpSection(
        "The phone's clock",
        "A phone runs by the real clock until a step is given a time. From then on its time is virtual and moves with the "
          + "steps only, until --at now. A list without any time begins at 2026-01-01T00:00:00Z, so that it gives the same "
          + "bytes every day. Going back is allowed, as on a phone whose clock is set back, and gives a note."),
      HelpSection(
        "When: --at, and \"at\" of a step",
        rows: [
          ("2026-01-03T00:00:00Z", "an ISO 8601 instant"), ("1767398400", "Unix seconds, with a fraction or without"),
          ("+2d3h", "after the first step of this install that had a time"),
          ("now", "the real clock; on the command line only"),
        ]),
      HelpSection(
        "How long: --after, --took, and \"after\", \"took\" of a step",
        "A number is seconds. With units, the largest first, as in 2d3h or 500ms:",
        rows: [
          ("ms", "milliseconds"), ("s", "seconds"), ("m", "minutes"), ("h", "hours"), ("d", "days of 24 hours"),
        ]),
    ]
  }
}
