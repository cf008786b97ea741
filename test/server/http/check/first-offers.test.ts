import { expect, onTestFinished, test, vi } from 'vitest'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { check, expectError, publish, serve, shown } from '../../../support/servers/calls.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const NARROW = { targets: { matchLabels: { ring: 'beta' } } }

/** Another connection to the database, which can hold the write lock. */
function holderOf({ folder }: TestServer) {
  const holder = openDatabase(dataFile(folder))
  onTestFinished(() => {
    holder.close()
  })
  return holder
}

/** Runs `meanwhile` after the next check has found that it needs stored labels, before it has them. */
function whileLabelsAreRead({ fleet }: TestServer, meanwhile: () => Promise<unknown>): void {
  const labelsOf = fleet.labelsOf.bind(fleet)
  vi.spyOn(fleet, 'labelsInMemory').mockReturnValue(undefined)
  vi.spyOn(fleet, 'labelsOf').mockImplementationOnce(async (appKey, ids) => {
    const labels = await labelsOf(appKey, ids)
    await meanwhile()
    return labels
  })
}

function decide(server: TestServer) {
  const device = { deviceId: DEVICE, version: '0.9.0', platform: 'darwin', arch: 'aarch64' }
  const body = { app: 'editor', devices: [{ ...device, labels: { ring: 'beta' } }] }
  return server.call('POST', '/api/v1/fleet/decisions', { body })
}

test.skipIf(isOnPostgres)(
  'while another process holds the database, only first offers wait, and end in 503',
  async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0')
    expect((await check(server, '0.9.0')).status).toBe(200)
    await publish(server, '2.0.0', { rolloutPct: 100 })
    const holder = holderOf(server)
    holder.exec('BEGIN IMMEDIATE')
    const first = [1, 2, 3].map((index) => check(server, '0.9.0', { device: `d${index}` }))
    const [wave, change] = [
      decide(server),
      serve(server, '2.0.0', { rolloutPct: 100, status: 'paused' }),
    ]
    // Nobody else waits for them.
    expect((await check(server, '2.0.0')).status).toBe(204)
    for (const answer of await Promise.all([...first, wave, change])) {
      expect(expectError(answer, 503)).toMatch(/cannot be written right now/)
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    holder.exec('COMMIT')
    expect((await check(server, '0.9.0')).body).toMatchObject({ version: '2.0.0' })
  },
)

test('200 concurrent first checks are answered, and store one change', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const { revision } = server.catalog.snapshot
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => check(server, '0.9.0', { device: `d${index}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(server.catalog.snapshot.revision).toBe(revision + 1)
})

test('the thread that answers commits nothing', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const holder = holderOf(server)
  holder.exec('BEGIN IMMEDIATE')
  const first = check(server, '0.9.0')
  // Only a thread that is free answers this, and gets to give the lock back.
  expect((await check(server, '1.0.0')).status).toBe(204)
  holder.exec('COMMIT')
  expect((await first).status).toBe(200)
})

test('a check that waits for stored labels offers nothing that is rolled back meanwhile', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', NARROW)
  expect((await check(server, '0.9.0', { query: '?l.ring=beta' })).status).toBe(200)
  whileLabelsAreRead(server, () => serve(server, '1.0.0', { status: 'rolled_back' }))
  expect((await check(server, '0.9.0')).status).toBe(204)
})

test('a check that waits for its first offer offers nothing that is rolled back meanwhile', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const { catalog } = server
  const offerFirst = catalog.offerFirst.bind(catalog)
  vi.spyOn(catalog, 'offerFirst').mockImplementationOnce(async (release, options) => {
    await offerFirst(release, options)
    await serve(server, '1.0.0', { status: 'rolled_back' })
  })
  expect((await check(server, '0.9.0')).status).toBe(204)
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'rolled_back', offered: true })
})

test('a decision whose telemetry is written offers nothing that is rolled back meanwhile', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const { fleet } = server
  const commit = fleet.commit.bind(fleet)
  vi.spyOn(fleet, 'commit').mockImplementationOnce(async (facts) => {
    await commit(facts)
    await serve(server, '1.0.0', { status: 'rolled_back' })
  })
  const { body } = await decide(server)
  expect(body.decisions).toEqual([{ deviceId: DEVICE, update: null, reason: 'no_release' }])
  expect(body.updatesOffered).toBe(0)
})

test('a decision whose labels are read offers nothing that is rolled back meanwhile', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', NARROW)
  whileLabelsAreRead(server, () => serve(server, '1.0.0', { status: 'rolled_back' }))
  const { body } = await decide(server)
  expect(body.decisions).toEqual([{ deviceId: DEVICE, update: null, reason: 'no_release' }])
})

function plan(server: TestServer, dryRun: boolean, version = '0.9.0') {
  const device = { deviceId: DEVICE, version, platform: 'darwin', arch: 'aarch64' }
  return server.call('POST', '/api/v1/fleet/decisions', {
    body: { app: 'editor', dryRun, devices: [device] },
  })
}

test('a release becomes offered with the first check that offers it', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await publish(server, '2.0.0', { rolloutPct: 0 })
  const offered = async () => [
    (await shown(server, '1.0.0')).offered,
    (await shown(server, '2.0.0')).offered,
  ]
  expect((await check(server, '1.0.0')).status).toBe(204)
  expect((await check(server, '3.0.0')).status).toBe(204)
  expect(await offered()).toEqual([false, false])
  expect((await check(server, '0.9.0')).body.version).toBe('1.0.0')
  expect(await offered()).toEqual([true, false])
})

test('a decision that is no dry run offers, a dry run does not', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const dry = await plan(server, true)
  expect(dry.body.updatesOffered).toBe(1)
  expect(await shown(server, '1.0.0')).toMatchObject({ offered: false })
  expect((await serve(server, '1.0.0', { rolloutPct: 99 })).status).toBe(200)
  await serve(server, '1.0.0', { rolloutPct: 100 })
  const wet = await plan(server, false)
  expect(wet.body.decisions[0].update.version).toBe('1.0.0')
  expect(await shown(server, '1.0.0')).toMatchObject({ offered: true })
  expect((await serve(server, '1.0.0', { rolloutPct: 99 })).status).toBe(422)
})

test('a release to which devices are downgraded becomes offered too', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await publish(server, '2.0.0')
  await serve(server, '2.0.0', { status: 'rolled_back' })
  expect((await check(server, '2.0.0')).body.version).toBe('1.0.0')
  expect(await shown(server, '1.0.0')).toMatchObject({ offered: true })
  expect(await shown(server, '2.0.0')).toMatchObject({ offered: false })
})

test('the offer is in the database when the answer leaves, and is remembered after a restart', async () => {
  const first = await startWithApp()
  await publish(first, '1.0.0')
  expect((await check(first, '0.9.0')).status).toBe(200)
  const stored = await first.catalog.store.releasePage({ limit: 1, offset: 0 })
  expect(stored.releases[0]?.offered).toBe(true)
  await first.stop()

  const second = await startServer({ dataFolder: first.folder })
  expect(await shown(second, '1.0.0')).toMatchObject({ offered: true })
  expect((await serve(second, '1.0.0', { rolloutPct: 99 })).status).toBe(422)
})
