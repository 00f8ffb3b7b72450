import SKANDevice
import Testing

@testable import SKANModel

@Suite("What is said of a wrong parameter")
struct ParameterFlawTests {
  @Test(
    "A value of the wrong form",
    arguments: [
      (.text, "", "is empty"), (.text, "None", "means no value, it is \"None\": leave it out"),
      (.seconds, "1767225600000", "must be Unix seconds, ten digits, it is \"1767225600000\": these are milliseconds"),
      (
        .milliseconds, "1767225600",
        "must be Unix milliseconds, thirteen digits, it is \"1767225600\": these are seconds"
      ),
      (.seconds, "now", "must be a Unix time, it is \"now\""), (.uuid, "x", "must be a UUID, it is \"x\""),
      (.uuid, "00000000-0000-0000-0000-000000000000", "is all zeros: leave it out when there is none"),
      (.decimal, "9,99", "must have a decimal point, it is \"9,99\""),
      (.decimal, "-", "must be a decimal number, it is \"-\""),
      (.decimal, "1.", "must be a decimal number, it is \"1.\""),
      (.decimal, "1.2.3", "must be a decimal number, it is \"1.2.3\""), (.decimal, "-1.50", nil), (.decimal, "7", nil),
      (.currency, "usd", "must be an ISO 4217 code in capitals, it is \"usd\""),
      (.truth, "True", "must be true or false in lower case, it is \"True\""), (.truth, "false", nil),
      (.whole(0...3), "4", "must be a whole number from 0 to 3, it is \"4\""),
      (.choice(["wifi", "carrier"]), "lte", "must be wifi or carrier, it is \"lte\""),
      (.address, "localhost", "must be an IP address, it is \"localhost\""),
      (.address, "1:2:3", "must be an IP address, it is \"1:2:3\""),
      (.address, "12345::1", "must be an IP address, it is \"12345::1\""),
      (.address, "fe80::1", "must be the device's public address, it is \"fe80::1\""),
      (.address, "10.0.0.1", "must be the device's public address, it is \"10.0.0.1\""),
      (.address, "2001:db8::1", "is an IPv6 address; Singular's pages prefer IPv4, and one refuses IPv6"),
      (.country, "us", "must be an ISO 3166-1 code of two capitals, it is \"us\""),
      (.country, "USA", "must be an ISO 3166-1 code of two capitals, it is \"USA\""), (.country, "US", nil),
      (.locale, "en-US", "must be language and country with an underscore such as en_US, it is \"en-US\""),
      (.locale, "zh_Han_CN", "must be language and country with an underscore such as en_US, it is \"zh_Han_CN\""),
      (.locale, "zh_H4ns_CN", "must be language and country with an underscore such as en_US, it is \"zh_H4ns_CN\""),
      (.locale, "EN_US", "must be language and country with an underscore such as en_US, it is \"EN_US\""),
      (.locale, "zh_Hans_CN", nil), (.locale, "fil_PH", nil),
      (.eventName, String(repeating: "n", count: 33), "has 33 characters, at most 32 are allowed"),
      (.eventName, "ä", "must be printable ASCII, it is \"ä\""), (.details, "x", nil),
      (.text, "YOUR API KEY", "still has the placeholder of a guide's sample"),
      (.uuid, "your_idfv", "still has the placeholder of a guide's sample"), (.text, "YOUR API KEYS", nil),
      (.text, "IDFVs", nil),
      (
        .revenue, #"{"USD":1,"usd":2}"#,
        "has the currency \"usd\", which is not an ISO 4217 code in capitals"
      ), (.revenue, #"{"USD":1,"EUR":2}"#, nil), (.revenue, "x", nil),
      (
        .seconds, String(repeating: "x", count: 61),
        "must be a Unix time, it is \"\(String(repeating: "x", count: 59))…\""
      ),
    ] as [(ParameterForm, String, String?)])
  func form(form: ParameterForm, value: String, message: String?) {
    #expect(form.flaw(of: value)?.message(value) == message)
  }

  @Test(
    "The text of a JSON object, damaged",
    arguments: [
      ("[object Object]", "JavaScript's text of an object: pass JSON.stringify of it"),
      (#""{\"USD\":1}""#, "a JSON string that holds the object: it was encoded twice"),
      (#""text""#, "not the text of a JSON object"), (#""{""#, "not the text of a JSON object"),
      ("%7B%22USD%22%3A1%7D", "escaped twice: the percent escapes arrive as text"),
      ("{'USD': 1}", "Python's text of a dictionary: pass json.dumps of it"),
      ("USD", "the key of a dictionary: pass its JSON text"), ("7", "not the text of a JSON object"),
      ("{\"USD\":1}", nil),
    ])
  func json(text: String, damage: String?) {
    let given = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    #expect(
      ParameterForm.json.flaw(of: text)?.message(text)
        == damage.map { "must be the text of a JSON object, it is \"\(given)\", \($0)" })
  }

  @Test(
    "A table has plain values",
    arguments: [
      (#"{"USD":{"amount":1}}"#, "an object with another one or an array in it"),
      (#"{"EUR":2,"USD":[1]}"#, "an object with another one or an array in it"), (#"{"USD":1,"EUR":"2"}"#, nil),
      ("{}", nil),
    ])
  func flat(text: String, damage: String?) {
    #expect(JSONTextDamage(text, isFlat: true)?.message == damage)
    #expect(JSONTextDamage(text) == nil)
  }

  @Test(
    "What concerns several parameters",
    arguments: [
      (.noAddress, "ip", "ip is missing: send the device's public address, or use_ip=true from the device itself."),
      (.twoAddresses, "ip", "ip and use_ip are both present: send only one of them."),
      (.noCountry, "country", "country is missing: it is required with use_ip=true."),
      (.alone("ma", without: "mo"), "ma", "ma is present without mo; they belong together."),
      (
        .idfaWithoutConsent("2"), "idfa",
        "idfa is present although att_authorization_status is 2: only 3 means consent."
      ),
      (
        .consentWithoutIDFA, "idfa",
        "idfa is missing although att_authorization_status is 3, which means consent."
      ), (.adRevenueWithout("ad_platform"), "e", "the event reports ad revenue, and ad_platform is missing."),
      (.repeated("ve"), "ve", "ve is in the request more than once."),
      (.misplaced("install"), "install", "install is not a parameter of this endpoint for an iOS app."),
      (.unknown("utim", nearest: "utime"), "utim", "utim is not a documented parameter; did you mean utime?"),
      (.unknown("zzz", nearest: nil), "zzz", "zzz is not a documented parameter."),
      (.missing("p"), "p", "p is missing."), (.flawed("lc", .empty, value: ""), "lc", "lc is empty."),
      (.metadata(.badParameter("p0_coarse", why: "must be 0")), "p0_coarse", "p0_coarse must be 0."),
    ] as [(ParameterProblem, String, String)])
  func problem(problem: ParameterProblem, parameter: String, explanation: String) {
    #expect(problem.parameters.first ?? "" == parameter)
    #expect(problem.explanation == explanation)
  }
}
