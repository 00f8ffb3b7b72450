import SKANDevice
import SKANBase

extension ForwardingMemory {
  /// Reads the member `forwarding` of a device file.
  init(from reader: inout JSONObjectReader) {
    self.init()
    hasSession = reader.bool("session_sent") ?? false
    if reader.has("event_counts") { memory = InstallMemory(counts: EventCounts(reader.eventCounts("event_counts"))) }
  }
}
