// URLSession of the toolchain, and the one other name of CFNetwork that skan-http uses. For scripts/check-darwin.
@_exported import FoundationNetworking
import Foundation

public func CFNetworkCopySystemProxySettings() -> Unmanaged<NSDictionary>? { nil }
