import TestSupport
import Testing

/// Modules of other packages and of shared libraries, in programs that never mention them: built from the fixtures against
/// the modules that were built with the tests, each in about a second.
///
/// In release by hand: `swift build -c release --build-tests -Xswiftc -enable-testing`, then the same filter.
@Suite(.serialized, .offThePool) struct LinkedModuleRegistrationTests {
  private let products: LinkedProducts
  private let weather: String
  private let host: String
  private let trestle: [String]

  init() throws {
    products = try LinkedProducts()
    weather = try products.compile(
      LinkedProducts.fixture("WeatherPackage/Sources/Weather/Weather.swift"), module: "Weather")
    host = try products.compile(LinkedProducts.fixture("Host/Host.swift"), module: "Host")
    trestle = try LinkedProducts.objectsOfTrestle()
  }

  private let loaded = """
    linked: []
    loaded: Weather of Weather/Weather.swift:3
    elsewhere4

    """

  @Test func aModuleOfAnotherPackage() throws {
    let program = try products.linkProgram("host", of: [host, weather] + trestle)
    #expect(try products.run(program) == "linked: [\"Weather\"]\nelsewhere4\n")
  }

  @Test func aLibraryThatIsLoadedByAProgramThatExportsItsSymbols() throws {
    let library = try products.linkLibrary("libWeather.so", of: [weather])
    let program = try products.linkProgram("host", of: [host] + trestle, exportsSymbols: true)
    #expect(try products.run(program, library) == loaded)
  }

  @Test func aLibraryOfADynamicProduct() throws {
    let shared = try products.linkLibrary("libTrestleDynamic.so", of: trestle)
    let library = try products.linkLibrary("libWeather.so", of: [weather], libraries: [shared])
    let program = try products.linkProgram("host", of: [host], libraries: [library, shared])
    #expect(try products.run(program) == "linked: [\"Weather\"]\nelsewhere4\n")
    let loader = try products.linkProgram("loader", of: [host], libraries: [shared])
    #expect(try products.run(loader, library) == loaded)
  }

  /// Both would have their own numbers for records.
  @Test func aLibraryWithACopyOfTrestleIsRefused() throws {
    let library = try products.linkLibrary("libWeather.so", of: [weather] + trestle)
    let program = try products.linkProgram("host", of: [host] + trestle, libraries: [library])
    let output = try products.run(program)
    #expect(
      output.contains("libWeather.so: module 'Weather' comes from a shared library with a copy of Trestle of its own"),
      "\(output)")
    #expect(output.contains("TrestleDynamic"))
    let loader = try products.linkProgram("loader", of: [host] + trestle)
    let loaded = try products.run(loader, library)
    #expect(loaded.contains("libWeather.so: module 'Weather' comes from a shared library"), "\(loaded)")
  }
}
