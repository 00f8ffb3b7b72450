/// What is about the run and the app's server.
extension WarningTexts {
  static var notForwarded: CodeExplanation {
    CodeExplanation(
      phone:
        "The app's server reported the step to Singular, and the report was not taken. Errors come with status 200; only "
        + "status ok in the body means that the data arrived.",
      cause:
        "The endpoint refused the report, gave nothing readable or did not answer, after five tries where that helps.",
      code: .eventSample,
      command: Reproduction.list(
        #"{"op":"register"}"#,
        #"{"op":"session","answer":{"json":{"status":"ok"}},"forward":{"answer":{"json":{"status":"error","reason":"missing argument: p"}}}}"#
      ),
      remedy: "Read the body of the answer, and correct what the reason names.",
      articles: ["ServerToServer"])
  }

  static var answererChanged: CodeExplanation {
    CodeExplanation(
      phone:
        "Another one answered this step than the steps before. To the phone it makes no difference; values of two models "
        + "do not go together.",
      cause: "--model, --endpoint or --answer was given before and is not now.",
      code: .endpoint,
      command: "skan register -q --state demo.json && skan session -q --state demo.json --model "
        + "fixtures/models/sample.json && skan session --state demo.json",
      remedy: "Give the same option, or set its variable, such as SKAN_MODEL.",
      articles: ["Endpoints"])
  }

  static var modelChanged: CodeExplanation {
    CodeExplanation(
      phone:
        "The model's file has other content than when it answered this phone last. Values that were given before keep "
        + "their old meaning.",
      cause: "The file was edited, or replaced by another model.",
      code: .endpoint,
      command:
        "cp fixtures/models/sample.json demo-model.json && skan register -q --state demo.json && skan session -q "
        + "--state demo.json --model demo-model.json && cp fixtures/models/mixed.json demo-model.json && skan session "
        + "--state demo.json --model demo-model.json",
      remedy: "Nothing, if that was meant. 'skan model diff' says what the change means for installs under way.",
      articles: ["ConversionModels"])
  }
}
