// swift-tools-version: 6.2
import PackageDescription

/// Every target is Swift 6 with explicit existentials, so that a protocol called through a box is seen as one. What only an
/// installed program wants, scripts/install passes: a package with unsafe flags cannot be a dependency.
let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

/// In the sources, tests apart, each unsafe expression is marked as such, and a warning is an error: but for one that a
/// later SDK deprecates a declaration.
let sourceSettings =
  settings + [
    .strictMemorySafety(), .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
  ]

/// The module layers, lowest first; each imports only those below it (the manual, "Inside").
let layers: [[String]] = [
  ["SKANBase"],
  ["SKANSystem"],
  ["SKANDevice"],
  ["SKANHTTP", "SKANModel", "SKANSigning"],
  ["SKANRun", "SKANTimeline"],
  ["SKANTraffic", "SKANReceive", "SKANBacktest"],
  ["SKANServe"],
  ["SKANCommandLine"],
  ["SKANCommand"],
  ["skan"],
]

/// The files that are part of the program: the page of skan serve.
let embedded: [String: [Resource]] = [
  "SKANServe": ["html", "css", "js"].map { .embedInCode("Page/page.\($0)") }
]

/// The modules that a layer may import.
func modules(below layer: Int) -> [Target.Dependency] {
  layers[..<layer].joined().map { .target(name: $0) }
}

var targets: [Target] = [
  .target(name: "TestWatchdog", path: "Tests/TestWatchdog"),
  .target(
    name: "TestSupport", dependencies: ["TestWatchdog"], path: "Tests/TestSupport", swiftSettings: settings),
]
for (layer, names) in layers.enumerated() {
  for name in names where name != "skan" {
    targets.append(
      .target(
        name: name, dependencies: modules(below: layer), resources: embedded[name] ?? [], swiftSettings: sourceSettings)
    )
    // These start the programs, too.
    let program: [Target.Dependency] = ["SKANHTTP", "SKANCommand"].contains(name) ? ["skan", "skan-http"] : []
    targets.append(
      .testTarget(
        name: "\(name)Tests", dependencies: modules(below: layer + 1) + ["TestSupport"] + program,
        swiftSettings: settings))
  }
}
// URLSession, and with it curl on Linux, is in a program of its own, as git's is in git-remote-https: skan starts it. No
// library between the two holds it, since SwiftPM would link that library into skan as well.
targets.append(
  .executableTarget(
    name: "skan-http", dependencies: ["SKANBase", "SKANSystem", "SKANDevice", "SKANHTTP"], swiftSettings: sourceSettings
  ))
targets.append(
  .executableTarget(
    name: "skan", dependencies: modules(below: layers.count - 1) + ["skan-http"], swiftSettings: sourceSettings))

let package = Package(
  name: "skan",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "skan", targets: ["skan"]), .executable(name: "skan-http", targets: ["skan-http"]),
  ],
  targets: targets
)
