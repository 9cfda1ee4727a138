import Testing

@testable import EditorClient

@Suite struct CoreSilenceTests {
  @Test func oneThatDoesNothingIsGivenUpFirst() {
    var (idle, working) = (CoreSilence(), CoreSilence())
    #expect(!idle.hasBegun && !idle.isNoticed)
    for tick in 1...CoreSilence.ticksToDespair {
      idle.tick(isCoreAtWork: false)
      working.tick(isCoreAtWork: true)
      #expect(idle.isNoticed == (tick >= CoreSilence.ticksToNotice))
      #expect(idle.isQuestionable == (tick == CoreSilence.ticksToQuestion))
      #expect(idle.isPatient == (tick < CoreSilence.ticksToDespair))
    }
    #expect(idle.hasBegun && working.isPatient && working.isCoreAtWork)
    for _ in CoreSilence.ticksToDespair..<CoreSilence.ticksOfWork { working.tick(isCoreAtWork: true) }
    #expect(!working.isPatient)
  }
}
