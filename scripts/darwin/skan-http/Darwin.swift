// The constants of macOS's C library that skan-http uses and whose type glibc has otherwise. For scripts/check-darwin.
@_exported import Glibc

public let RLIMIT_CORE: Int32 = 4
public let RUSAGE_SELF: Int32 = 0
