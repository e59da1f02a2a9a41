import SheafCore
import Testing

@Suite("RateSchedule")
struct RateScheduleTests {
  private func schedule(_ text: String) throws(RateSchedule.Problem) -> RateSchedule {
    try RateSchedule(parsing: text) { Int64($0) }
  }

  @Test(
    "the first entry that covers the moment says the rate",
    arguments: [
      (0, 5), (7 * 60 + 59, 5), (8 * 60, 100), (12 * 60, 100), (17 * 60 + 59, 100), (18 * 60, nil), (21 * 60, nil),
      (22 * 60, 5), (23 * 60 + 59, 5),
    ] as [(Int, Int64?)])
  func rate(minute: Int, expected: Int64?) throws {
    let schedule = try schedule("08:00-18:00=100,18:00-22:00=0,22:00-8:00=5,00:00-24:00=9")
    #expect(schedule.rate(atMinute: minute, otherwise: 7) == expected)
  }

  @Test("where none does, what else was said holds")
  func otherwise() throws {
    #expect(try schedule("08:00-18:00=1").rate(atMinute: 3, otherwise: 7) == 7)
    #expect(try schedule("00:00-24:00=1").rate(atMinute: 1439, otherwise: nil) == 1)
  }

  @Test(
    "what is no schedule says which entry is at fault",
    arguments: [
      "", "08:00-18:00", "08:00=1", "8-18=1", "08:00-18:00=", "08:00-18:00=x", "24:00-08:00=1", "08:60-09:00=1",
      "08:00-25:00=1", "08:00-24:01=1", "08:00-08:00=1", "008:00-09:00=1", "08:00-09:00=1,", "+8:00-09:00=1",
      "08:00-09:00=1=2", "08:00-09:00-10:00=1",
    ])
  func problems(text: String) {
    #expect(throws: RateSchedule.Problem.self) { try schedule(text) }
  }
}
