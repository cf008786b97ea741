import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEVICE_ROW_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { DeviceTable } from '../../../../../src/server/storage/shared/memory/device-table.ts'

const CHUNK = 16_384

interface Row {
  readonly device: number
  readonly profile: number
  readonly lastSeen: number
}

function take(table: DeviceTable, limit: number): { rows: Row[]; wrapped: boolean } {
  const { rows, wrapped } = table.takeBehind(limit)
  const read: Row[] = []
  for (let at = 0; at < rows.length; at += DEVICE_ROW_WIDTH) {
    const row = rows.subarray(at, at + DEVICE_ROW_WIDTH)
    const [profile = 0, lastSeen = 0] = row
    const device = row.at(-1) ?? 0
    read.push({ device, profile, lastSeen })
  }
  return { rows: read, wrapped }
}

/** Takes to the end of the table. */
function takeRound(table: DeviceTable, limit: number): Row[] {
  const all: Row[] = []
  for (;;) {
    const { rows, wrapped } = take(table, limit)
    expect(rows.length).toBeLessThanOrEqual(limit)
    all.push(...rows)
    if (wrapped) return all
  }
}

const devicesAtBorders = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: CHUNK - 2, max: CHUNK + 2 }),
  fc.integer({ min: 2 * CHUNK - 2, max: 2 * CHUNK + 2 }),
)

describe('a table of devices', () => {
  test('returns what was last set for every device', () => {
    const table = new DeviceTable()
    expect([table.highest, table.profile(7), table.lastSeen(7)]).toEqual([0, 0, 0])
    table.load(CHUNK - 1, 3, 1_000)
    table.set(CHUNK, 4, 2_000)
    table.set(CHUNK - 1, 5, 1_774_000_000_001)
    expect([table.profile(CHUNK - 1), table.lastSeen(CHUNK - 1)]).toEqual([5, 1_774_000_000_001])
    expect([table.profile(CHUNK), table.lastSeen(CHUNK)]).toEqual([4, 2_000])
    expect([table.profile(CHUNK + 1), table.profile(10 * CHUNK)]).toEqual([0, 0])
    expect(table.highest).toBe(CHUNK)
  })

  test('does not return loaded rows', () => {
    const table = new DeviceTable()
    table.load(1, 1, 1)
    expect(table.behind).toBe(0)
    expect(takeRound(table, 10)).toEqual([])
  })

  test('an empty table is at its end immediately', () => {
    expect(take(new DeviceTable(), 10)).toEqual({ rows: [], wrapped: true })
  })

  test('hands out each row that was set once a round, lowest number first, as it is now', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(devicesAtBorders, fc.integer({ min: 1, max: 99 })), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (sets, limit) => {
          const table = new DeviceTable()
          const model = new Map<number, Row>()
          for (const [at, [device, profile]] of sets.entries()) {
            table.set(device, profile, at)
            model.set(device, { device, profile, lastSeen: at })
          }
          expect(table.behind).toBe(model.size)
          const expected = [...model.values()].sort((one, other) => one.device - other.device)
          expect(takeRound(table, limit)).toEqual(expected)
          expect(table.behind).toBe(0)
          expect(takeRound(table, limit)).toEqual([])
        },
      ),
    )
  })

  test('a round contains all rows that were behind when it began', () => {
    const step = fc.oneof(
      fc.record({ set: devicesAtBorders, profile: fc.integer({ min: 1, max: 99 }) }),
      fc.record({ limit: fc.integer({ min: 1, max: 4 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const table = new DeviceTable()
        const behind = new Map<number, number>()
        let owed = new Set<number>()
        let last = 0
        for (const action of steps) {
          if ('set' in action) {
            table.set(action.set, action.profile, 1)
            behind.set(action.set, action.profile)
            continue
          }
          const { rows, wrapped } = take(table, action.limit)
          for (const { device, profile } of rows) {
            expect(device).toBeGreaterThan(last)
            expect(behind.get(device)).toBe(profile)
            behind.delete(device)
            owed.delete(device)
            last = device
          }
          expect(table.behind).toBe(behind.size)
          if (!wrapped) continue
          expect([...owed]).toEqual([])
          owed = new Set(behind.keys())
          last = 0
        }
      }),
    )
  })
})
