import Foundation

/// The program `openssl` by itself, without anything of ours.
enum OpenSSL {
  static let isInstalled = (try? run(["version"]))?.code == 0

  /// Runs it through the shell in a directory of its own, where `files` lie; `PATH` finds it.
  static func run(_ arguments: [String], files: [String: Data] = [:]) throws -> (code: Int32, output: Data) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skan-signing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
  }
}
