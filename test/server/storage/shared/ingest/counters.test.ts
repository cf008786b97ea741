import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNTER_WIDTH, TRAFFIC_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { Counters } from '../../../../../src/server/storage/shared/ingest/counters.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 2, 14)

interface CheckIn {
  readonly device: number
  readonly profile: number
  readonly at: number
}

type Sums = Map<string, number>

/** What the store makes of the packed changes: sums by cell, without the zeros. */
function addTo(sums: Sums, packed: Float64Array, width: number, keys: number): void {
  for (let at = 0; at < packed.length; at += width) {
    const name = packed.subarray(at, at + keys).join(' ')
    for (let value = keys; value < width; value++) {
      const cell = width - keys === 1 ? name : `${name} ${value - keys}`
      const sum = (sums.get(cell) ?? 0) + (packed[at + value] ?? 0)
      if (sum === 0) sums.delete(cell)
      else sums.set(cell, sum)
    }
  }
}

class Ledger {
  readonly counters = new Counters()
  readonly adoption: Sums = new Map()
  readonly hourly: Sums = new Map()
  readonly presence: Sums = new Map()
  readonly traffic: Sums = new Map()
  readonly #last = new Map<number, CheckIn>()

  /** Tells the counters of a check-in, as the fleet does. */
  checkIn(checkIn: CheckIn): void {
    const { device, profile, at } = checkIn
    const last = this.#last.get(device)
    if (last === undefined) this.counters.deviceCame(profile, at)
    else this.counters.deviceMoved(last.profile, last.at, profile, at)
    this.#last.set(device, checkIn)
  }

  take(): void {
    const { adoption, hourly, presence, traffic } = this.counters.take()
    addTo(this.adoption, adoption, COUNTER_WIDTH, 2)
    addTo(this.hourly, hourly, COUNTER_WIDTH, 2)
    addTo(this.presence, presence, COUNTER_WIDTH, 2)
    addTo(this.traffic, traffic, TRAFFIC_WIDTH, 2)
  }
}

const dayName = (at: number) => Math.floor(at / DAY)

/** Devices by profile and span (a day or an hour), each once a span, with its last profile in it. */
function recountAdoption(log: readonly CheckIn[], span: number): Sums {
  const last = new Map<string, string>()
  for (const { device, profile, at } of log) {
    const number = Math.floor(at / span)
    last.set(`${device} on ${number}`, `${profile} ${number}`)
  }
  return tally(last.values())
}

/** Devices by the profile and the day of their last check-in. */
function recountPresence(log: readonly CheckIn[]): Sums {
  const last = new Map<number, string>()
  for (const { device, profile, at } of log) last.set(device, `${profile} ${dayName(at)}`)
  return tally(last.values())
}

function tally(names: Iterable<string>): Sums {
  const sums: Sums = new Map()
  for (const name of names) sums.set(name, (sums.get(name) ?? 0) + 1)
  return sums
}

/** A log whose clock goes forward: steps of nothing, of minutes, and of days. */
const logs = fc
  .array(
    fc.record({
      device: fc.integer({ min: 1, max: 8 }),
      profile: fc.integer({ min: 1, max: 4 }),
      step: fc.oneof(fc.constant(0), fc.nat({ max: HOUR }), fc.nat({ max: 3 * DAY })),
      take: fc.boolean(),
    }),
    { maxLength: 80 },
  )
  .map((steps) => {
    let at = START
    return steps.map(({ step, ...rest }) => {
      at += step
      return { ...rest, at }
    })
  })

describe('counters', () => {
  test('agree with a recount of every check-in, whenever they are taken', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const ledger = new Ledger()
        for (const { take, ...checkIn } of log) {
          ledger.checkIn(checkIn)
          if (take) ledger.take()
        }
        ledger.take()
        expect(ledger.adoption).toEqual(recountAdoption(log, DAY))
        expect(ledger.hourly).toEqual(recountAdoption(log, HOUR))
        expect(ledger.presence).toEqual(recountPresence(log))
      }),
      { numRuns: 400 },
    )
  })

  test('a device counts once a day, however often it checks in', () => {
    const ledger = new Ledger()
    for (let minute = 0; minute < 60; minute++) {
      ledger.checkIn({ device: 1, profile: 7, at: START + minute * 60_000 })
    }
    ledger.take()
    expect([...ledger.adoption]).toEqual([[`7 ${dayName(START)}`, 1]])
    expect([...ledger.presence]).toEqual([[`7 ${dayName(START)}`, 1]])
  })

  test('a device that updates within the day moves, and does not count twice', () => {
    const ledger = new Ledger()
    ledger.checkIn({ device: 1, profile: 7, at: START })
    ledger.take()
    ledger.checkIn({ device: 1, profile: 8, at: START + DAY - 1 })
    ledger.take()
    expect([...ledger.adoption]).toEqual([[`8 ${dayName(START)}`, 1]])
    expect([...ledger.presence]).toEqual([[`8 ${dayName(START)}`, 1]])
  })

  test('a full hour in UTC begins a new hour of the same day', () => {
    const ledger = new Ledger()
    const hour = Math.floor(START / HOUR)
    ledger.checkIn({ device: 1, profile: 7, at: hour * HOUR + HOUR - 1 })
    ledger.checkIn({ device: 1, profile: 7, at: hour * HOUR + HOUR })
    ledger.checkIn({ device: 1, profile: 8, at: hour * HOUR + HOUR + 1 })
    ledger.take()
    const cells = [`7 ${hour}`, `8 ${hour + 1}`]
    expect(ledger.hourly).toEqual(new Map(cells.map((cell) => [cell, 1])))
    expect([...ledger.adoption]).toEqual([[`8 ${dayName(START)}`, 1]])
  })

  test('midnight in UTC begins a new day', () => {
    const ledger = new Ledger()
    ledger.checkIn({ device: 1, profile: 7, at: START + DAY - 1 })
    ledger.checkIn({ device: 1, profile: 7, at: START + DAY })
    ledger.take()
    const [first, second] = [dayName(START), dayName(START) + 1]
    expect(ledger.adoption).toEqual(new Map([`7 ${first}`, `7 ${second}`].map((cell) => [cell, 1])))
    expect([...ledger.presence]).toEqual([[`7 ${second}`, 1]])
  })

  test('after the clock was set back across midnight a device counts on both days', () => {
    const ledger = new Ledger()
    ledger.checkIn({ device: 1, profile: 7, at: START })
    ledger.checkIn({ device: 1, profile: 7, at: START - 1 })
    ledger.take()
    const [before, day] = [dayName(START) - 1, dayName(START)]
    expect(ledger.adoption).toEqual(new Map([`7 ${day}`, `7 ${before}`].map((cell) => [cell, 1])))
    expect([...ledger.presence]).toEqual([[`7 ${before}`, 1]])
  })

  test('presence stays a count of devices, wherever the clock jumps', () => {
    const jumping = fc.array(
      fc.record({
        device: fc.integer({ min: 1, max: 5 }),
        profile: fc.integer({ min: 1, max: 3 }),
        at: fc.integer({ min: START, max: START + 5 * DAY }),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(jumping, (log) => {
        const ledger = new Ledger()
        for (const checkIn of log) ledger.checkIn(checkIn)
        ledger.take()
        expect(ledger.presence).toEqual(recountPresence(log))
      }),
    )
  })

  test('traffic counts check-ins, anonymous ones and offers by channel and hour', () => {
    const traffic = fc.array(
      fc.record({
        channel: fc.integer({ min: 1, max: 3 }),
        at: fc.integer({ min: START, max: START + 5 * HOUR }),
        anonymous: fc.boolean(),
        offered: fc.boolean(),
        take: fc.boolean(),
      }),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(traffic, (log) => {
        const ledger = new Ledger()
        const expected: string[] = []
        for (const { channel, at, anonymous, offered, take } of log) {
          ledger.counters.checkedIn(channel, at, anonymous, offered)
          const cell = `${channel} ${Math.floor(at / HOUR)}`
          expected.push(`${cell} 0`)
          if (anonymous) expected.push(`${cell} 1`)
          if (offered) expected.push(`${cell} 2`)
          if (take) ledger.take()
        }
        ledger.take()
        expect(ledger.traffic).toEqual(tally(expected))
      }),
    )
  })

  test('what was taken is not returned again', () => {
    const ledger = new Ledger()
    ledger.checkIn({ device: 1, profile: 1, at: START })
    ledger.counters.checkedIn(1, START, false, true)
    ledger.take()
    const { adoption, hourly, presence, traffic } = ledger.counters.take()
    const taken = [adoption.length, hourly.length, presence.length, traffic.length]
    expect(taken).toEqual([0, 0, 0, 0])
  })
})
