import SKANRun
import SKANTimeline

extension DrawnLife {
  /// The life as an element of a page.
  ///
  /// - Parameters:
  ///   - redactor: takes the SDK key out.
  ///   - id: with which the names within the drawing begin, so that no two of a page are the same.
  func drawing(_ redactor: Redactor, id: String) -> LifeDrawing {
    var life = self
    life.redactor = redactor
    return LifeDrawing(phone: name, html: redactor.redacted(TimelineSVG(life.timeline, id: id).element))
  }
}
