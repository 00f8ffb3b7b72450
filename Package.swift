// swift-tools-version: 6.0
import PackageDescription

/// Every target is Swift 6 with explicit existentials, so that a protocol called through a box is seen as one. That no two
/// parts of the program change the same thing at once is checked at run time in debug builds, which the tests are, and not
/// again in every step of a release build.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

let package = Package(
  name: "skan",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "skan", targets: ["skan"])],
  targets: [
    // The floors, lowest first; each imports only those below it (README, "Inside").
    .target(name: "SKANJSON", swiftSettings: settings),
    .target(name: "SKANDevice", dependencies: ["SKANJSON"], swiftSettings: settings),
    .target(name: "SKANEndpoint", dependencies: ["SKANDevice", "SKANJSON"], swiftSettings: settings),
    .target(name: "SKANStorage", dependencies: ["SKANDevice", "SKANJSON"], swiftSettings: settings),
    .target(name: "SKANSigning", dependencies: ["SKANDevice", "SKANJSON"], swiftSettings: settings),
    .target(name: "SKANTimeline", dependencies: ["SKANDevice"], swiftSettings: settings),
    .target(name: "SKANReplay", dependencies: ["SKANEndpoint", "SKANDevice", "SKANJSON"], swiftSettings: settings),
    .target(name: "SKANServer", dependencies: ["SKANEndpoint", "SKANDevice", "SKANJSON"], swiftSettings: settings),
    .target(
      name: "SKANCommand",
      dependencies: [
        "SKANReplay", "SKANServer", "SKANStorage", "SKANSigning", "SKANTimeline", "SKANEndpoint", "SKANDevice",
        "SKANJSON",
      ],
      swiftSettings: settings),
    .executableTarget(name: "skan", dependencies: ["SKANCommand", "SKANEndpoint"], swiftSettings: settings),

    .testTarget(name: "SKANJSONTests", dependencies: ["SKANDevice", "SKANJSON"], swiftSettings: settings),
    .testTarget(name: "SKANDeviceTests", dependencies: ["SKANDevice", "SKANJSON"], swiftSettings: settings),
    .testTarget(
      name: "SKANStorageTests", dependencies: ["SKANStorage", "SKANDevice", "SKANJSON"], swiftSettings: settings),
    .testTarget(
      name: "SKANSigningTests", dependencies: ["SKANSigning", "SKANDevice", "SKANJSON"], swiftSettings: settings),
    .testTarget(
      name: "SKANTimelineTests",
      dependencies: ["SKANTimeline", "SKANReplay", "SKANEndpoint", "SKANDevice", "SKANJSON"], swiftSettings: settings),
    .testTarget(
      name: "SKANEndpointTests", dependencies: ["SKANEndpoint", "TestServer", "skan"], swiftSettings: settings),
    .testTarget(
      name: "SKANModelTests", dependencies: ["SKANEndpoint", "SKANDevice", "SKANJSON"], swiftSettings: settings),
    .testTarget(
      name: "SKANServerTests", dependencies: ["SKANServer", "SKANEndpoint", "SKANDevice", "SKANJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "SKANReplayTests", dependencies: ["SKANReplay", "SKANEndpoint", "SKANDevice", "SKANJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "SKANCommandTests",
      dependencies: [
        "SKANCommand", "SKANReplay", "SKANStorage", "SKANSigning", "SKANEndpoint", "SKANDevice", "SKANJSON", "skan",
        "TestServer",
      ],
      swiftSettings: settings),
    .target(name: "TestServer", path: "Tests/TestServer", swiftSettings: settings),
  ]
)
