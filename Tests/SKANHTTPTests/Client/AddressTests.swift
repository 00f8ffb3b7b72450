import SKANDevice
import SKANHTTP
import Testing

@Suite("The address of an endpoint")
struct AddressTests {
  /// The problem with a URL, as the user reads it, and as programs that show the value do.
  private func problem(_ text: String) -> String? {
    do throws(EndpointURLProblem) {
      _ = try EndpointURL(text, api: .v2, takesIPv6Literals: true)
      return nil
    } catch {
      return "\(error.message) \(error)"
    }
  }

  @Test("No problem quotes a user name, a password or a query") func noProblem() {
    var count = 0
    for scheme in ["http://", "https://", "ftp://", "http:/", "us3r@http://", ""] {
      for user in [
        "us3r@", "us3r:pa55@", "us3r:pa/55@", "us3r:pa?55@", "us3r:pa#55@", "pa55:99999@", "p a55:@", "@us3r:pa55@",
      ] {
        for host in ["host", "host:80", "host:pa", "[::1]", "[zz]", "", "h ö"] {
          for rest in ["", "/path", "/pa th", "?quer1=5", "/?quer1", "#quer1"] {
            let text = scheme + user + host + rest
            let found = problem(text)
            #expect(found != nil, "\(text)")
            for secret in ["us3r", "pa55", "55", "quer1"] {
              #expect(found?.contains(secret) == false, "\(text): \(found ?? "")")
            }
            count += 1
          }
        }
      }
      for rest in ["host?quer1", "host/?quer1=x", "host:x?quer1", "host/a b?quer1", "?quer1"] {
        #expect(problem(scheme + rest)?.contains("quer1") == false, "\(scheme)\(rest)")
      }
    }
    #expect(count > 1_000)
  }

  @Test(
    "The authority always has the port, the text only another than the default",
    arguments: [
      ("http://Host", "host:80", "http://host/"), ("http://host:80/a", "host:80", "http://host/a"),
      ("https://host:443", "host:443", "https://host/"), ("http://host:443/", "host:443", "http://host:443/"),
      ("https://host:80/", "host:80", "https://host:80/"),
      ("http://host:8787/a/b", "host:8787", "http://host:8787/a/b"),
    ])
  func ports(url: String, authority: String, text: String) throws {
    let address = try URLParts(url).address
    #expect(address.authority == authority && address.text == text)
  }
}
