import SKANBase

/// A model that was made from another form.
package struct ConvertedModel: Sendable {
  package var model: ConversionModel
  /// What a reader of the source should know about the result, with its location in the source.
  package var remarks: [SourceProblem] = []
}
