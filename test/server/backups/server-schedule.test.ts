import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { startServer } from '../../support/servers/server.ts'

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
