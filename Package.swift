// swift-tools-version: 6.2
import PackageDescription

// Who may import whom is the architecture: SheafCore decides and imports nothing, Sheaf carries
// out, SheafCommand speaks with people. Only Sheaf touches C.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Sheaf",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Sheaf", targets: ["Sheaf"]),
    .library(name: "SheafFoundation", targets: ["SheafFoundation"]),
    .executable(name: "sheaf", targets: ["SheafCommand"]),
    .executable(name: "sheaf-origin", targets: ["OriginCommand"]),
    .executable(name: "sheaf-hostile", targets: ["HostileCommand"]),
    .executable(name: "sheaf-soak", targets: ["SoakCommand"]),
  ],
  targets: [
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSystem"),

    .target(name: "SheafCore", swiftSettings: strict),
    .target(
      name: "Sheaf",
      dependencies: ["SheafCore", "CCurl", "CZlib", "CDeflate", "CExpat", "CJansson", "CCrypto", "CTLS", "CSystem"],
      swiftSettings: strict),
    // What needs Foundation, so that those who do without need not load it.
    .target(name: "SheafFoundation", dependencies: ["Sheaf"], swiftSettings: strict),
    .executableTarget(
      name: "SheafCommand", dependencies: ["Sheaf", "SheafCore"], swiftSettings: strict),

    .executableTarget(
      name: "example-queue", dependencies: ["Sheaf"], path: "Examples/QueueAcrossRestarts", swiftSettings: strict),
    .executableTarget(
      name: "example-player", dependencies: ["Sheaf"], path: "Examples/MusicPlayer", swiftSettings: strict),
    .executableTarget(
      name: "example-hash", dependencies: ["Sheaf"], path: "Examples/StreamIntoHash", swiftSettings: strict),
    .executableTarget(
      name: "example-task", dependencies: ["SheafFoundation"], path: "Examples/DownloadTask", swiftSettings: strict),

    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    .target(
      name: "TestSupport", dependencies: ["CCrypto", "CSpawn", "CTLS"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .executableTarget(
      name: "OriginCommand", dependencies: ["TestSupport"], path: "Tests/OriginCommand",
      swiftSettings: strict),
    .target(name: "Simulation", dependencies: ["SheafCore"], path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "sheaf-simulate", dependencies: ["Simulation", "SheafCore"], path: "Tests/SimulateCommand",
      swiftSettings: strict),
    .executableTarget(
      name: "HostileCommand", dependencies: ["TestSupport"], path: "Tests/HostileCommand",
      swiftSettings: strict),
    .executableTarget(
      name: "SoakCommand", dependencies: ["Sheaf", "SheafCore", "CDeflate", "Simulation", "TestSupport"],
      path: "Tests/SoakCommand",
      swiftSettings: strict),
    .testTarget(
      name: "SheafCoreTests", dependencies: ["SheafCore", "Simulation", "CDeflate"], swiftSettings: strict),
    .testTarget(
      name: "SheafTests", dependencies: ["Sheaf", "SheafCore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SheafFoundationTests", dependencies: ["SheafFoundation", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SheafCommandTests",
      dependencies: ["SheafCommand", "Sheaf", "TestSupport", "OriginCommand", "CSystem"],
      swiftSettings: strict),
    .testTarget(
      name: "HostileTests",
      dependencies: ["SheafCommand", "TestSupport", "OriginCommand", "HostileCommand"],
      swiftSettings: strict),
    .testTarget(
      name: "SoakTests", dependencies: ["SheafCommand", "TestSupport", "SoakCommand"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
