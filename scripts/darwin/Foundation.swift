// What of macOS's Foundation SKANSystem uses, over the toolchain's FoundationEssentials. For scripts/check-darwin.
@_exported import Darwin
@_exported import FoundationEssentials

public class NSNumber {}

public final class Bundle: Sendable {
  public static let main = Bundle()
  public var executablePath: String? { nil }
}

public typealias CFTypeID = UInt
public func CFGetTypeID(_: AnyObject!) -> CFTypeID { 0 }
public func CFBooleanGetTypeID() -> CFTypeID { 1 }
