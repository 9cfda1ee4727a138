import TrestleCLI

@main
enum Runner {
  @MainActor static func main() async { await TrestleCommand.main() }
}
