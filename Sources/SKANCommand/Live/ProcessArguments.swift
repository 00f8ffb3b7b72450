import Foundation

/// The arguments of this process as the system gave them: `CommandLine.arguments` puts U+FFFD in the place of what is not
/// UTF-8, which would name another file.
package enum ProcessArguments {
  /// Without the program's name.
  package static var bytes: [[UInt8]] {
    var arguments: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = unsafe CommandLine.unsafeArgv[index] else { break }
      arguments.append(unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }
    return arguments
  }
}
