import JSON
import Testing

@testable import EditorCore

/// What a front end wants as one step.
@Suite struct JointStepTests {
  private let driver = CoreDriver(handshake: true)

  init() { driver.open() }

  private func insert(_ text: String) { driver.edit("insert", ["chars": .string(text)]) }

  @Test func whatComesBetweenIsOneStep() {
    insert("zero")
    driver.edit("xiedit_begin_step")
    insert("one")
    driver.edit("insert_newline")
    driver.edit("move_left")
    insert("two")
    driver.edit("xiedit_end_step")
    insert("three")
    #expect(driver.document?.buffer.text == "zeroonetwothree\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "zeroonetwo\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "zero")
    driver.edit("redo")
    #expect(driver.document?.buffer.text == "zeroonetwo\n")
  }

  @Test func anEndWithoutABeginIsHarmless() {
    driver.edit("xiedit_end_step")
    insert("a")
    driver.edit("xiedit_begin_step")
    insert("b")
    driver.edit("xiedit_begin_step")
    insert("c")
    driver.edit("xiedit_end_step")
    driver.edit("xiedit_end_step")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "a")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "")
  }

  @Test func whatIsUndoneWithinIsNoTrap() {
    insert("a")
    driver.edit("xiedit_begin_step")
    for _ in 0..<3 { driver.edit("undo") }
    insert("b")
    driver.edit("redo")
    driver.edit("xiedit_end_step")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "")
  }
}
