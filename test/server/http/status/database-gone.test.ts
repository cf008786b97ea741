import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { artifact, publishBody } from '../../../support/builders/releases.ts'
import { check, expectError, publish, RELEASES, serve } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { report } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const NEW_DEVICE = '11111111-2222-4333-8444-555555555555'

/** A server whose release has been offered. */
async function serving(): Promise<TestServer> {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  expect((await check(server, '0.9.0')).status).toBe(200)
  await server.fleet.settled()
  return server
}

/** Writes are refused, checks answered, and health says why. */
async function expectGone(server: TestServer, file: string): Promise<void> {
  const refused = [
    await server.call('POST', RELEASES, { body: publishBody('1.1.0') }),
    await serve(server, '1.0.0', { rolloutPct: 100, status: 'paused' }),
    await report(server, [{ deviceId: NEW_DEVICE, version: '0.9.0' }]),
  ]
  for (const answer of refused) {
    expectError(answer, 503)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(answer.body.error).not.toContain('tidegate.db')
  }
  for (const device of [DEVICE, NEW_DEVICE, null]) {
    const answer = await check(server, '0.9.0', { device })
    expect(answer).toMatchObject({ status: 200, body: { version: '1.0.0' } })
  }
  const health = await server.call('GET', '/healthz', { key: null })
  expect(health.status).toBe(503)
  expect(health.body).toMatchObject({
    status: 'failing',
    database: { state: 'failing', file },
    telemetry: { state: 'failing' },
  })
  const status = await callerOf(server).status.get()
  expect(status.database).toMatchObject({ file: dataFile(server.folder), issue: file })
}

test('a database that was moved away refuses writes, and takes them again once it is back', async () => {
  const server = await serving()
  const file = dataFile(server.folder)
  renameSync(file, `${file}.moved`)
  await expectGone(server, 'missing')
  renameSync(`${file}.moved`, file)
  await publish(server, '1.1.0', { artifacts: [artifact()] })
  const { status } = await report(server, [{ deviceId: NEW_DEVICE, version: '1.0.0' }])
  expect(status).toBe(200)
  const health = await server.call('GET', '/healthz', { key: null })
  expect(health).toMatchObject({ status: 200, body: { database: { file: 'ok' } } })
})

test('a replaced database is no longer written to, and pending data is not lost silently', async () => {
  const server = await serving()
  const file = dataFile(server.folder)
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
  await expectGone(server, 'replaced')
  await expect(server.stop()).resolves.toBeUndefined()
})

test('a folder that was deleted stops no check', async () => {
  const server = await serving()
  rmSync(server.folder, { recursive: true })
  await expectGone(server, 'missing')
})

test('a first offer that cannot be stored is refused, and made once the database is back', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const file = dataFile(server.folder)
  renameSync(file, `${file}.moved`)
  const refused = await check(server, '0.9.0')
  expectError(refused, 503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  renameSync(`${file}.moved`, file)
  expect((await check(server, '0.9.0')).status).toBe(200)
})
