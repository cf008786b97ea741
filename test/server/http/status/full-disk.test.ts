import { pino } from 'pino'
import { expect, test } from 'vitest'
import { LogFile } from '../../../../src/server/runtime/log/log-file.ts'
import { LogWriter } from '../../../../src/server/runtime/log/log-writer.ts'
import {
  canMount,
  fillDisk,
  freeDisk,
  NO_SMALL_DISK,
  smallDisk,
} from '../../../support/builders/small-disk.ts'
import { eventually } from '../../../support/eventually.ts'
import { check, expectError, publish } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

test('a full disk stops no update check, and telemetry and log go on once there is room', async ({
  skip,
}) => {
  skip(!canMount, NO_SMALL_DISK)
  const disk = smallDisk(16_384)
  const target = new LogFile(`${disk}/server.log`, { maxBytes: 100_000, keep: 3 })
  const writer = new LogWriter(target, { retryInterval: 50 })
  const log = pino({}, writer)
  const server = await startWithApp({ dataFolder: disk }, log)
  await publish(server, '1.0.0')
  expect((await check(server, '0.9.0')).body).toMatchObject({ version: '1.0.0' })
  await publish(server, '2.0.0')

  fillDisk(disk)
  log.info({ filler: 'x'.repeat(10_000) }, 'a line that finds no room')
  let devices = 0
  const ask = (version: string) => check(server, version, { device: `device-${devices++}` })
  await eventually(async () => {
    expect((await ask('2.0.0')).status).toBe(204)
    expect(server.fleet.health.failure).not.toBe(null)
    expect(writer.health).toMatchObject({ failure: { detail: expect.stringMatching(/ENOSPC/) } })
  })
  // What was offered before is offered on; what was not cannot be.
  expectError(await ask('0.9.0'), 503)

  freeDisk(disk)
  await eventually(async () => {
    expect((await ask('0.9.0')).body).toMatchObject({ version: '2.0.0' })
    expect(server.fleet.health).toMatchObject({ failure: null, lost: 0 })
    expect(writer.health.failure).toBe(null)
  })
  await server.fleet.settled()
  const stored = await server.fleet.presence(1, Math.floor(Date.now() / 86_400_000))
  expect(stored.length).toBeGreaterThan(0)
  await server.stop()
  await writer.settled()
  target.close()
})
