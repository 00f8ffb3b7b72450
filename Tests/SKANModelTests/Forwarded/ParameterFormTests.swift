import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("The form of a value, on both sides of its limits")
struct ParameterFormTests {
  private static func digits(_ count: Int) -> String { String(repeating: "7", count: count) }

  @Test(
    "Each form and each flaw",
    arguments: [
      (.seconds, nil, [digits(10)]), (.seconds, .milliseconds, [digits(13)]),
      (.seconds, .notATime, [digits(9), digits(11), digits(12), digits(14), digits(9) + "x", "-" + digits(9)]),
      (.milliseconds, nil, [digits(13)]), (.milliseconds, .seconds, [digits(10)]),
      (.milliseconds, .notATime, [digits(9), digits(11), digits(12), digits(14), digits(12) + "x"]),
      (.uuid, nil, ["21DB6612-09B3-4ECC-84AC-B353B0AF1334", "00000000-0000-0000-0000-000000000001"]),
      (.decimal, nil, ["0", "-1", "1.5", "007", "-0.50"]),
      (.decimal, .notADecimal, ["-", "--1", "1.", ".5", "1.2.3", "1e5", "+1", "1-"]),
      (.decimal, .decimalComma, ["1,5", "-1,5"]), (.decimal, .notADecimal, ["1,2,3", ","]),
      (.currency, nil, ["USD"]), (.currency, .notACurrency, ["usd", "US", "USDT", "U1D"]),
      (.truth, nil, ["true", "false"]), (.truth, .notATruthValue, ["True", "FALSE", "1", "0"]),
      (.whole(0...3), nil, ["0", "3"]), (.whole(0...3), .notWhole(0...3), ["-1", "4", "1.0", "x"]),
      (.choice(["a", "b"]), nil, ["a", "b"]), (.choice(["a", "b"]), .notAChoice(["a", "b"]), ["A", "ab", "c"]),
      (.country, nil, ["US", "AZ"]), (.country, .notACountry, ["U", "USA", "us", "uS", "Us", "U1"]),
      (.locale, nil, ["en_US", "fil_PH", "zh_Hans_CN"]),
      (
        .locale, .notALocale,
        [
          "e_US", "filx_PH", "en_U", "en_USA", "en_Us", "eN_US", "e1_US", "en_U1", "en", "en_US_", "_US", "en_",
          "zh_Han_CN",
          "zh_Hanss_CN", "zh_H4ns_CN", "zh_Hans_Hans_CN",
        ]
      ),
      (.eventName, nil, [String(repeating: "n", count: 32), " ~"]),
      (.eventName, .longName(33), [String(repeating: "n", count: 33), String(repeating: "ä", count: 33)]),
      (.eventName, .notASCII, ["\u{1F}", "\u{7F}", "ä", String(repeating: "ä", count: 32)]),
      (.address, nil, ["1.1.1.1", "223.255.255.255", "001.002.003.004"]),
      (.address, .ipv6, ["2001:db8::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "2001:DB8:FFFF:abcd::"]),
      (.address, .privateAddress, ["10.0.0.1", "::", "::1:2:3:4:5:6:7"]),
      (
        .address, .notAnAddress,
        [
          "1.1.1", "1.1.1.1.1", "1.1.1.256", "0001.1.1.1", "1.1.1.", "1.1.1.-1", "1.1.1.x", "1:2", "1:2:3:4:5:6:7",
          "1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8", "12345::1", "g::1",
        ]
      ),
      (.text, .placeholder, ["null", "NULL", "(null)", "nil", "None", "undefined", "Undefined"]),
      (.text, nil, ["nullx", "undefinedx", "(null", "n", "u"]), (.details, nil, ["x"]),
    ] as [(ParameterForm, ParameterFlaw?, [String])])
  func forms(form: ParameterForm, flaw: ParameterFlaw?, values: [String]) {
    for value in values { #expect(form.flaw(of: value) == flaw, "\(value)") }
    #expect(form.flaw(of: "") == .empty && form.flaw(of: "null") == .placeholder)
    if let flaw { #expect(form.flaws.contains(flaw)) }
  }

  @Test("A placeholder of the guides, with any separators up to 24 bytes", arguments: String.guidePlaceholders)
  func placeholders(text: String) {
    for spelling in [text, text.lowercased(), text.uppercased(), text.replacing(" ", with: "_")] {
      #expect(ParameterForm.text.flaw(of: spelling) == .guidePlaceholder, "\(spelling)")
    }
    #expect(ParameterForm.text.flaw(of: "x" + text) == nil && ParameterForm.text.flaw(of: text + "x") == nil)
    let fill = String(repeating: "-", count: 24 - text.utf8.count)
    #expect(ParameterForm.text.flaw(of: text + fill) == .guidePlaceholder)
    #expect(ParameterForm.text.flaw(of: text + fill + "-") == nil)
  }

  @Test("A long value is cut in a message")
  func cut() {
    func x(_ count: Int) -> String { String(repeating: "x", count: count) }
    #expect(ParameterFlaw.notATime.message(x(60)).contains("\"\(x(60))\""))
    #expect(ParameterFlaw.notATime.message(x(61)).contains("\"\(x(59))…\""))
    #expect(ParameterFlaw.currencyOfTotal(x(20)).message("").contains("\"\(x(20))\""))
    #expect(ParameterFlaw.currencyOfTotal(x(21)).message("").contains("\"\(x(20))…\""))
  }
}
