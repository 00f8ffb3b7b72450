import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("serve --journal adds to a journal, and to nothing else")
struct JournalFileTests {
  @Test(
    "A file of something else is refused before the server starts, and stays as it is",
    arguments: [
      (
        "{\n \"profile\":{},\n \"kept\":{}\n}\n",
        "this is a device file; --state takes it: 'skan timeline --state j' draws its phone, and 'skan replay --state j "
          + "LIST' continues it"
      ),
      ("{\"postbackMappings\":[]}\n", "this is a conversion model; 'skan model check j' checks it, --model takes it"),
      (
        #"{"received_at":1767225600,"body":"{}"}"# + "\n",
        "this is a file of received postbacks; 'skan report j' counts them"
      ),
      (#"{"answer":{"json":{}},"op":"session"}"# + "\n", "this is an event list; 'skan replay j' runs it"),
      ("-----BEGIN PRIVATE KEY-----\nMIG\n", "this is a private key; 'skan postbacks --sign j' signs with it"),
      ("before\n", "this is no journal of 'skan serve'"), ("{", "this is no journal of 'skan serve'"),
    ])
  func refused(text: String, what: String) {
    let world = World()
    world["j"] = text
    let run = world.run("serve --port 0 --journal j")
    #expect(
      run
        == Consequences(
          .badData,
          err: "j:1:1: \(what); requests would be added to it: name another file for the journal\n"))
  }

  @Test(
    "A file that is empty or a journal is added to, also one whose first line broke off",
    arguments: [
      "", "\n", "{\"answer\":\"torn", "{\"ans", "{\"answer\":\"torn\n{}\n",
      #"{"answer":"","at":0,"explanation":"","method":"GET","path":"/","query":{},"status":200}"# + "\n",
      #"{"answer":""# + String(repeating: "x", count: 1 << 17),
    ])
  func taken(text: String) {
    let world = World()
    world["j"] = text
    // As far as this world goes.
    let end = Consequences(.cannotWrite, err: "skan: cannot write j: files cannot be added to here\n")
    #expect(world.run("serve --port 0 --journal j") == end)
  }

  @Test("A pipe is not looked into")
  func pipe() {
    let world = World { $0.streams["j"] = ["anything"] }
    #expect(world.run("serve --port 0 --journal j").code == .cannotWrite)
  }
}
