import SKANDevice
import SKANModel

extension ReferenceReply {
  /// What to add to a request that comes too late by the server's clock, as the guides' samples do, which speak of 2017.
  func clockHint(_ query: ConversionQuery, at time: Instant) -> String? {
    switch self {
    case .error(.closed), .error(.badPeriod): break
    default: return nil
    }
    let example = query.statedTime.map {
      ", such as the request's own last call, \(ReferenceEndpoint.deviceTimeHeader): \($0)"
    }
    return "The server's clock says \(time). A phone of another time sends its own in the header "
      + "\(ReferenceEndpoint.deviceTimeHeader), in Unix seconds\(example ?? "")."
  }
}
