import TrestleCLI

@main
enum Runner {
  static func main() async { await TrestleCommand.main() }
}
