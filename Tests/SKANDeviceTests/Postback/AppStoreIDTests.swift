import SKANDevice
import Testing

@Suite("An App Store id")
struct AppStoreIDTests {
  @Test(
    "A number, as postbacks, people and the App Store's addresses write it",
    arguments: [
      ("525463029", "525463029"), ("id525463029", "525463029"), ("00525463029", "525463029"), ("0", "0"), ("id0", "0"),
    ])
  func number(text: String, expected: String) { #expect(AppStoreID(text)?.text == expected) }

  @Test("Nothing else", arguments: ["", "id", "com.example.app", "-1", "1.5", "٣", " 5", "ID5", "idid5"])
  func other(text: String) { #expect(AppStoreID(text) == nil) }
}
