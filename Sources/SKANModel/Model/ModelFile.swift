import SKANBase

/// The models of a file. Mostly there is one; an answer of Google's API may hold those of several apps.
package struct ModelFile: Sendable {
  package let models: [ConversionModel]

  /// Reads the models in all spellings of their public form; see the article "Conversion models".
  ///
  /// - Throws: every problem that makes the file unusable, with its location. What is odd is not among them
  ///   (``ConversionModel/problems``).
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let (models, problems) = try Self.read(bytes)
    guard problems.isEmpty else { throw SourceProblems(problems) }
    self.models = models
  }

  /// Everything that is wrong or odd about a file.
  package static func check(_ bytes: [UInt8]) throws(SourceProblems) -> (
    models: [ConversionModel], errors: [SourceProblem], warnings: [SourceProblem]
  ) {
    let (models, problems) = try read(bytes)
    let warnings = models.flatMap { model in
      let isWhole = problems.isEmpty
      return model.oddities(isWhole: isWhole).map(\.problem) + (isWhole ? [model.missingCoarse].compactMap(\.self) : [])
    }
    return (models, problems, warnings)
  }

  /// The models without the mappings that cannot be read, and what is wrong with those.
  private static func read(_ bytes: [UInt8]) throws(SourceProblems) -> ([ConversionModel], [SourceProblem]) {
    let root: JSONNode
    do throws(JSONError) {
      root = try JSONReader.read(bytes, dialect: .file)
    } catch {
      if isEventList(bytes) {
        throw [SourceProblem("this is an event list, not a model: 'skan replay' runs it", at: 0..<1)]
      }
      throw [SourceProblem(error)]
    }
    let envelope = ModelEnvelope(root)
    var problems = envelope.problems
    var models: [ConversionModel] = []
    for schema in envelope.schemas {
      let (model, more) = ConversionModel.read(schema)
      models.append(model)
      problems += more
    }
    return (models, problems)
  }

  /// Whether the first line with something on it is a step.
  private static func isEventList(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: 0x0A, maxSplits: 100)
    guard let line = lines.first(where: { $0.first != UInt8(ascii: "#") }) else { return false }
    return (try? JSONReader.read(Array(line)))?.member("op") != nil
  }
}

extension ConversionModel {
  /// Reads the one model of a file.
  ///
  /// - Throws: every problem with its location; that there are several models is one.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let models = try ModelFile(bytes).models
    guard models.count == 1 else { throw [SourceProblem("there are \(models.count) models in it", at: 0..<1)] }
    self = models[0]
  }
}
