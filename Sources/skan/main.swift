import Foundation
import SKANCommand
import SKANHTTP

// First of all: the process that sends requests has no use for anything else.
if RequestHelper.isAsked(Array(CommandLine.arguments.dropFirst())) { RequestHelper.run() }
// The whole of the program is in SKANCommand; here it only meets the world.
StandardStream.reserve()
Interrupt.install()
let status = CommandLineTool.status(of: ProcessArguments.bytes, in: .live)
// No tear-down: ending a URLSession's threads has crashed on Linux (swift-corelibs-foundation #5491).
exit(status)
