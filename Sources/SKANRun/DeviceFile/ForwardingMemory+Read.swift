import SKANDevice
import SKANBase

extension ForwardingMemory {
  package static let keys: JSONKeys = ["session_sent", "event_counts", "kept_before_answer"]

  /// Reads the member `forwarding` of a device file.
  init(from reader: inout JSONObjectReader) {
    self.init()
    hasSession = reader.bool("session_sent") ?? false
    if reader.has("event_counts") { memory = InstallMemory(counts: EventCounts(reader.eventCounts("event_counts"))) }
  }
}
