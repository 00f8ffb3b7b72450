import Foundation
import SKANCommand
import SKANSystem

// The whole of the program is in SKANCommand; here it only meets the world.
StandardStream.reserve()
Interrupt.install()
let status = CommandLineTool.status(of: System.arguments, in: .live)
exit(status)
