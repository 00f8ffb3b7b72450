import SKANBase
import SKANRun
import SKANSystem

extension DuckDBProgram {
  /// The longest description of a table in seconds, and its most bytes.
  private static let limits = ProgramRun.Limits(seconds: 600, bytes: 16 << 20)

  /// The program `duckdb` on the `PATH`.
  ///
  /// It gets the environment of this process, in which it finds the user's credentials for addresses, except the
  /// variables of this program, of which one can hold the SDK key.
  static var live: DuckDBProgram {
    var program = DuckDBProgram(
      run: { (sql) throws(Failure) in
        do throws(ProgramRun.Failure) {
          let run = try ProgramRun(
            "duckdb", arguments(sql), environment: variables, input: [], files: [], limits: limits,
            isInterrupted: { Interrupt.wasRequested })
          if run.end == .code(0) { return run.output }
          throw .failed(run.errors)
        } catch {
          switch error {
          case .missing: throw .missing
          case .failed(let reason): throw .failed(reason)
          case .fileTooLong: throw .failed("a file is too long")
          case .interrupted: throw .interrupted
          }
        }
      },
      stream: { (sql) throws(Failure) in
        guard let path = ProgramPath.find("duckdb") else { throw .missing }
        let output: ProgramOutput
        do throws(Errno) {
          output = try ProgramOutput(path, arguments: ["duckdb"] + arguments(sql), environment: variables)
        } catch {
          throw .failed("it cannot be started: \(error.reason)")
        }
        return unsafe ByteSource(isRegular: false) { buffer throws(SourceFailure) in
          do throws(ProgramOutput.Failure) {
            return try unsafe output.next(into: buffer, isInterrupted: { Interrupt.wasRequested })
          } catch {
            switch error {
            case .failed(let text): throw .unreadable(text)
            case .interrupted: throw .interrupted
            }
          }
        }
      })
    program.temporaryFolder = System.variable("TMPDIR") ?? "/tmp"
    return program
  }

  private static var variables: [String] { System.environment.filter { !$0.hasPrefix("SKAN_") } }
}
