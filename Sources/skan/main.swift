import Foundation
import SKANCommand

// The whole of the program is in SKANCommand; here it only meets the world.
StandardStream.reserve()
Interrupt.install()
let status = CommandLineTool.status(of: ProcessArguments.bytes, in: .live)
exit(status)
