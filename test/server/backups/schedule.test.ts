import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { copiesToDelete, isDue } from '../../../src/server/backups/backup-copies.ts'
import { copyName, type NamedCopy } from '../../../src/server/backups/folder.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { startServer } from '../../support/servers/server.ts'

const OWN = '11111111'
const named = (owner: string, at: number): NamedCopy => ({ name: copyName(owner, at), owner, at })
const seconds = fc.integer({ min: 0, max: 1_000 }).map((second) => second * 1_000)
const copies = fc.uniqueArray(fc.record({ owner: fc.constantFrom(OWN, '22222222'), at: seconds }), {
  selector: ({ owner, at }) => `${owner} ${at}`,
  maxLength: 40,
})
const keeps = fc.integer({ min: 1, max: 10 })

test('of the own copies as many stay as are to be kept, the new one among them', () => {
  fc.assert(
    fc.property(copies, seconds, keeps, (records, at, keep) => {
      const made = named(OWN, at)
      const others = records.map((record) => named(record.owner, record.at))
      const all = [...others.filter(({ name }) => name !== made.name), made]
      const gone = copiesToDelete(all, made, keep)
      const own = all.filter(({ owner }) => owner === OWN)
      expect(gone.every(({ owner }) => owner === OWN)).toBe(true)
      expect(gone).not.toContain(made)
      expect(own.length - gone.length).toBe(Math.min(keep, own.length))
    }),
  )
})

test('no copy goes that is newer than one that stays, the future apart', () => {
  fc.assert(
    fc.property(copies, seconds, keeps, (records, at, keep) => {
      const made = named(OWN, at)
      const past = records.filter((record) => record.owner === OWN && record.at < at)
      const all = [...past.map((record) => named(OWN, record.at)), made]
      const gone = copiesToDelete(all, made, keep)
      const oldest = Math.min(...all.filter((copy) => !gone.includes(copy)).map((copy) => copy.at))
      expect(gone.every((copy) => copy.at < oldest)).toBe(true)
    }),
  )
})

test('after the clock was set back, copies of the future go first', () => {
  const [past, made, future] = [named(OWN, 1_000), named(OWN, 2_000), named(OWN, 9_000)]
  expect(copiesToDelete([past, made, future], made, 2)).toEqual([future])
})

test.each([
  ['nothing is known', {}, true],
  ['the time is over', { at: 0 }, true],
  ['the time is not over', { at: 950 }, false],
  ['the clock was set back after a copy of before this start', { at: 5_000 }, true],
  ['the clock was set back, and the time is over', { at: 5_000, ticks: 0 }, true],
  ['the clock was set back, and the time is not over', { at: 5_000, ticks: 450 }, false],
  ['the machine slept', { at: 0, ticks: 490 }, true],
])('a copy is due or not: %s', (_, last, due) => {
  expect(isDue({ at: undefined, ticks: undefined, ...last }, 100, 1_000, 500)).toBe(due)
})

/** The machine may be busy with other tests. */
const PATIENT = { timeout: 30_000, interval: 20 }

test('a scheduled backup is made a minute after the start', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = join(temporaryFolder(), 'copies')
  const { backups } = await startServer({ backups: { everyHours: 1, keep: 2, folder } })
  vi.advanceTimersByTime(59_000)
  expect((await backups.status()).running).toBe(false)
  vi.advanceTimersByTime(2_000)
  vi.useRealTimers()
  await vi.waitFor(async () => expect((await backups.status()).copies).toHaveLength(1), PATIENT)
  expect(await backups.status()).toMatchObject({ lastFailure: null, copies: [{ own: true }] })
  expect(readdirSync(folder)).toHaveLength(1)
})
