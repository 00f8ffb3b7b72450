import SKANBase
import SKANDevice

/// A key of a phone that ``PhoneMatrix`` varies and ``PhoneCondition`` compares: one of its profile, or a setting.
package struct PhoneKey: Sendable, Equatable {
  package let name: String

  private static let ofProfile = ["ios", "snippet", "app_version", "bundle_id", "build", "clock"]

  package static let names = ofProfile + FrameworkSettings.fields.names

  /// Nil if no key has the name.
  package init?(_ name: String) {
    guard Self.names.contains(name) else { return nil }
    self.name = name
  }

  /// Why no key has a name.
  package static func problem(with name: String) -> String {
    let hint = nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" }
    return "there is no key \(JSONWriter.quoted(name)) of a phone to compare; "
      + (hint ?? "known: \(ofProfile.joined(separator: ", ")), and the settings of 'skan help postbacks'")
  }

  private var isSetting: Bool { !Self.ofProfile.contains(name) }

  /// The value of a phone, as a list has it.
  package func text(in profile: DeviceProfile) -> String {
    if let setting = FrameworkSetting.allCases.first(where: { $0.name == name }) {
      return setting.value(in: profile.settings)
    }
    return DeviceProfile.fields.json(profile, keys: [name])[name]?.text ?? ""
  }

  /// Gives a phone another value. The ad of a phone for which none was named follows its clock.
  ///
  /// - Returns: why it cannot have the value; nil if it can.
  package func set(_ text: String, in profile: inout DeviceProfile) -> String? {
    let isAdUsual = profile.ad == AdAttribution(under: profile.clock)
    let json = JSONWriter.text(.object([(name, .string(text))]))
    guard let node = try? JSONReader.readSource(Array(json.utf8)) else { return "it is no text" }
    var reader = JSONObjectReader(
      node, what: "a phone", known: isSetting ? FrameworkSettings.fields.known : DeviceProfile.fields.known)
    if isSetting {
      FrameworkSettings.fields.only([name]).read(into: &profile.settings, from: &reader)
    } else {
      DeviceProfile.fields.only([name]).read(into: &profile, from: &reader)
    }
    if isAdUsual { profile.ad = AdAttribution(under: profile.clock) }
    return reader.problems.first?.message
  }
}

/// What `"when"` of an expectation says about the phone: it is checked only on a phone of which all of it is true.
package struct PhoneCondition: Sendable, Equatable {
  /// The keys and their values as written, in order.
  private let members: [Member]

  private struct Member: Sendable, Equatable {
    let key: PhoneKey
    let text: String
  }

  /// Reads the object; problems are added to the reader.
  init?(_ node: JSONNode, in reader: inout JSONObjectReader) {
    guard case .object(let given) = node.content, !given.isEmpty else {
      reader.add([SourceProblem("\"when\" must be an object such as {\"ios\":\">=16.1\"}", at: node.range)])
      return nil
    }
    var members: [Member] = []
    for member in given {
      guard let key = PhoneKey(member.key) else {
        reader.add([SourceProblem(PhoneKey.problem(with: member.key), at: member.keyRange)])
        continue
      }
      guard let text = member.value.content.text else {
        reader.add([
          SourceProblem("\"\(key.name)\" must be a string, this is \(member.value.briefly)", at: member.value.range)
        ])
        continue
      }
      var any = DeviceProfile(idfv: nil)
      if let problem = key.set(Self.parts(text, of: key).value, in: &any) {
        reader.add([SourceProblem(problem, at: member.value.range)])
      }
      members.append(Member(key: key, text: text))
    }
    self.members = members
  }

  private enum Comparison: String, CaseIterable {
    // The longer ones first, since a shorter one begins them.
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  /// The comparison and its value. Versions of iOS have an order; other keys are equal or not.
  private static func parts(_ text: String, of key: PhoneKey) -> (comparison: Comparison, value: String) {
    guard key.name == "ios", let found = Comparison.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
      return (.equal, text)
    }
    return (found, String(text.dropFirst(found.rawValue.count)))
  }

  func holds(on profile: DeviceProfile) -> Bool {
    members.allSatisfy { member in
      let (comparison, value) = Self.parts(member.text, of: member.key)
      guard member.key.name == "ios", let version = IOSVersion(value) else {
        return member.key.text(in: profile) == value
      }
      return switch comparison {
      case .atLeast: profile.ios >= version
      case .atMost: profile.ios <= version
      case .above: profile.ios > version
      case .below: profile.ios < version
      case .equal: profile.ios == version
      }
    }
  }

  var json: JSON { .object(members.map { ($0.key.name, .string($0.text)) }) }
}
