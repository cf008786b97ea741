import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { eventually } from '../../../support/eventually.ts'
import { connect } from '../../../support/servers/database.ts'
import { startServer, startWithApp } from '../../../support/servers/server.ts'

describe('retention', () => {
  test('check-ins older than the days kept are deleted at the start, counters stay', async () => {
    const first = await startWithApp()
    for (const device of ['old', 'new']) {
      const headers = { 'x-service-device': device }
      await first.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null, headers })
    }
    await first.stop()

    const database = connect(`${first.folder}/tidegate.db`)
    const [rows, counters] = [
      database.prepare('SELECT count(*) FROM check_ins').pluck(),
      database.prepare('SELECT sum(devices) FROM adoption').pluck(),
    ]
    const count = 2_500
    const [longAgo, ahead] = [Date.now() - 40 * DAY, Date.now() + 400 * DAY]
    database.transaction(() => {
      database.prepare('UPDATE check_ins SET at = ?').run(ahead)
      const insert = database.prepare('INSERT INTO check_ins VALUES (?, 1, ?, 1, 3, 0)')
      for (let id = 101; id <= 100 + 3 * count; id++) {
        // A wrong clock, then weeks of nothing, then the last days.
        const at = id <= 100 + count ? ahead : id <= 100 + 2 * count ? longAgo : Date.now() - DAY
        insert.run(id, at)
      }
      const last = 100 + 3 * count
      database
        .prepare('UPDATE telemetry_state SET last_check_in = ?, rows_through = ?')
        .run(last, last)
    })()
    const counted = counters.get()

    await startServer({ dataFolder: first.folder, keepCheckInDays: 30 })
    // Those of the wrong clock came before the ones of long ago, and so are older.
    await eventually(() => expect(rows.get()).toBe(count))
    const oldest = database.prepare('SELECT min(at) FROM check_ins').pluck().get()
    expect(oldest).toBeGreaterThan(longAgo)
    expect(counters.get()).toBe(counted)
  })

  test('0 days keep check-ins forever', async () => {
    const first = await startWithApp()
    await first.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null })
    await first.stop()
    const database = connect(`${first.folder}/tidegate.db`)
    database.exec('UPDATE check_ins SET at = 0; UPDATE telemetry_state SET rows_through = 1')
    const second = await startServer({ dataFolder: first.folder, keepCheckInDays: 0 })
    await second.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null })
    await second.fleet.settled()
    await second.stop()
    expect(database.prepare('SELECT count(*) FROM check_ins').pluck().get()).toBe(2)
  })

  test('hourly adoption is kept for 8 days, however long check-ins are, and daily adoption stays', async () => {
    const first = await startWithApp()
    await first.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null })
    await first.stop()
    const database = connect(`${first.folder}/tidegate.db`)
    const hour = Math.floor(Date.now() / HOUR)
    const [kept, gone] = [hour - 8 * 24 + 1, hour - 8 * 24 - 1]
    const profiles = 2_500
    database.transaction(() => {
      const insert = database.prepare('INSERT INTO profiles VALUES (?, 1, ?, ?, ?, 1, 0)')
      const [count, day] = ['hourly_adoption', 'adoption'].map((table) =>
        database.prepare(`INSERT INTO ${table} VALUES (?, ?, 1)`),
      )
      for (let id = 2; id <= profiles; id++) {
        insert.run(id, `${id}.0.0`, 'linux', 'x86_64')
        for (const cell of [kept, gone, gone - 1]) count?.run(id, cell)
        day?.run(id, Math.floor(gone / 24))
      }
    })()
    await startServer({ dataFolder: first.folder, keepCheckInDays: 0 })
    const old = database.prepare('SELECT count(*) FROM hourly_adoption WHERE hour <= ?').pluck()
    await eventually(() => expect(old.get(gone)).toBe(0))
    expect(old.get(kept)).toBe(profiles - 1)
    expect(database.prepare('SELECT count(*) FROM adoption').pluck().get()).toBe(profiles - 1)
  })
})
