import Foundation

/// Core files: the memory of a process that has crashed, and the SDK key with it.
package enum CoreFiles {
  /// Lets a crash of this process leave none, and no other process of the user look into its memory. What this process
  /// starts is not concerned: with `exec` it ends.
  ///
  /// On Linux only, where systems keep core files unless told otherwise. The limit of their size would not do: where a
  /// program takes them (core_pattern(5)) the system does not look at it, and children inherit it.
  package static func forbid() {
    #if os(Linux)
      _ = control(setDumpable, 0)
    #endif
  }

  #if os(Linux)
    /// Whether this process may leave one.
    static var areAllowed: Bool { control(getDumpable, 0) == 1 }

    private static let (getDumpable, setDumpable): (CInt, CInt) = (3, 4)

    /// `prctl`, which takes any number of arguments, so that Swift does not import it.
    static func control(_ option: CInt, _ value: CUnsignedLong) -> CInt {
      typealias Function = @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
      guard let program = unsafe dlopen(nil, RTLD_LAZY), let symbol = unsafe dlsym(program, "prctl") else { return -1 }
      return unsafe unsafeBitCast(symbol, to: Function.self)(option, value, 0, 0, 0)
    }
  #endif
}
