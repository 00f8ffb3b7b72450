import Foundation

/// What the tests are built with.
public enum Sanitizer {
  /// Whether the thread or the address sanitizer is linked. It has memory and files of its own, which limits of the system
  /// concern too, and slows everything down.
  public static let isActive: Bool = {
    guard let program = dlopen(nil, RTLD_NOW) else { return false }
    return (["__tsan_init", "__asan_init"] as [String]).contains { dlsym(program, $0) != nil }
  }()
}
