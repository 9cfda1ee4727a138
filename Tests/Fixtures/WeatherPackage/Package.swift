// swift-tools-version: 6.2
import PackageDescription

/// A package of somebody else, with a module that the programs which link it never mention.
let package = Package(
  name: "WeatherPackage",
  products: [.library(name: "Weather", targets: ["Weather"])],
  dependencies: [.package(name: "trestle", path: "../../..")],
  targets: [.target(name: "Weather", dependencies: [.product(name: "Trestle", package: "trestle")])]
)
