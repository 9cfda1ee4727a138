import Trestle

@NativeModule
actor Weather {
  @Exported let station = "elsewhere"

  init() {}

  @Exported func temperature(_ city: String) -> Report { Report(city: city, degrees: Double(city.count)) }
}

@Record struct Report {
  var city: String
  var degrees: Double
}
