import SKANCommand
import Testing

@Suite("Options of serve")
struct ServeOptionTests {
  @Test(
    "Sites and hosts that are none",
    arguments: [
      (
        "--allow-origin https://a/b",
        "--allow-origin must be a site without a path, such as https://tools.example, it is \"https://a/b\""
      ),
      (
        "--allow-origin null --allow-origin https://b.example --allow-origin c",
        "--allow-origin must be a site without a path, such as https://tools.example, it is \"c\""
      ),
      ("--allow-host a --allow-host b/c", "--allow-host must be the name of a host, such as skan.test, it is \"b/c\""),
      ("--allow-host=", "--allow-host must be the name of a host, such as skan.test, it is \"\""),
    ])
  func refused(options: String, message: String) {
    #expect(World().run("serve \(options)") == .usage(message, command: "serve"))
  }

  @Test("In a variable several, with commas between")
  func variables() {
    let world = World { $0.variables["SKAN_ALLOW_ORIGIN"] = "https://a.example,b" }
    #expect(
      world.run("serve").err.hasPrefix(
        "skan: SKAN_ALLOW_ORIGIN must be a site without a path, such as https://tools.example, it is \"b\""))
  }
}
