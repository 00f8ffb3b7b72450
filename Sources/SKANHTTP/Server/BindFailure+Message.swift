import SKANSystem

extension BindFailure {
  /// The failure for the user, without full stop.
  package var message: String {
    switch self {
    case .addressInUse(let host, let port): "\(host):\(port) is in use already; --port 0 picks a free port"
    case .noPermission(let host, let port): "no permission to listen on \(host):\(port)"
    case .unknownHost(let host, let reason): "--host \(host) cannot be used: \(reason)"
    case .foreignHost(let host): "--host \(host) is not an address of this machine"
    case .system(let call, _, let reason): "cannot listen: \(call): \(reason)"
    }
  }
}
