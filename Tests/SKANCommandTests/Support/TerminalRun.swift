import Foundation
import Testing

/// What the executable writes to a terminal of its own, which Python makes.
enum TerminalRun {
  private static let program = """
    import fcntl, os, pty, struct, sys, termios
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
        os.execv(sys.argv[2], sys.argv[2:])
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    os.waitpid(process, 0)

    """

  /// - Parameters:
  ///   - arguments: words of the shell.
  ///   - columns: the width that the terminal states; 0 = none.
  ///   - term: what `TERM` says; nil = it is not set.
  static func output(_ arguments: String, columns: Int, term: String?, in workspace: Workspace) throws -> String {
    try workspace.write("terminal.py", program)
    let variable = term.map { "export TERM=\($0)" } ?? "unset TERM"
    let run = try workspace.shell(Python.line("\(variable); python3 terminal.py \(columns) \"$SKAN\" \(arguments)"))
    #expect(run.code == 0 && run.err.isEmpty, "\(run)")
    // A terminal turns each line feed into two characters.
    return run.out.replacing("\r\n", with: "\n")
  }
}
