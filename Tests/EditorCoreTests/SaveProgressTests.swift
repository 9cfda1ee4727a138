import EditorProtocol
import Testing

@testable import EditorCore

@Suite struct SaveProgressTests {
  @Test func aLongSaveShowsHowFarItIs() throws {
    let folder = TemporaryFolder()
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.session.files.reportInterval = .zero
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    _ = driver.request(
      "xiedit_save",
      ["view_id": .string(driver.view.rawValue), "file_path": .string(folder("a")), "overwrite": "always"])
    let progress = driver.notifications.compactMap { if case .progress(_, let progress) = $0 { progress } else { nil } }
    #expect(progress.count >= 4 && progress.allSatisfy { $0.task == .save && $0.total == 1_200_000 })
    #expect(progress.map(\.done) == progress.map(\.done).sorted() && progress.last?.done == 1_200_000)
    driver.edit("select_all")
    driver.edit("delete_backward")
    _ = driver.request(
      "xiedit_save",
      ["view_id": .string(driver.view.rawValue), "file_path": .string(folder("a")), "overwrite": "always"])
    #expect(driver.log == [], "of nothing, nothing is half written")
    #expect(progress.dropLast().allSatisfy { $0.done < 1_200_000 }, "the end is told when the disk has it")
  }
}
