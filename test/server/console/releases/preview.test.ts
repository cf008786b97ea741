import { expect, test } from 'vitest'
import type { ServingChangeInput } from '../../../../src/shared/console/releases/releases.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { check, publish, serve, setPolicy } from '../../../support/servers/calls.ts'
import { callerOf, failureOf, previewOf, startConsole } from '../../../support/servers/console.ts'
import { plan, report } from '../../../support/servers/fleet-calls.ts'
import type { TestServer } from '../../../support/servers/server.ts'

const PLACE = { app: 'editor', channel: 'stable' }
const VERSIONS = ['0.9.0', '1.0.0', '1.1.0', '2.0.0']

interface Device {
  readonly deviceId: string
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly labels: Record<string, string>
}

/** 400 devices over versions, platforms and two labels. */
const FLEET: readonly Device[] = Array.from({ length: 400 }, (_, index) => ({
  deviceId: `device-${index}`,
  version: VERSIONS[index % 4] ?? '',
  platform: index % 3 === 0 ? 'macos' : 'linux',
  arch: index % 5 === 0 ? 'aarch64' : 'x86_64',
  labels: { ring: index % 7 < 2 ? 'beta' : 'wide', ...(index % 2 === 0 ? { site: 'b' } : {}) },
}))

async function startWithFleet() {
  const { server, console } = await startConsole()
  const artifacts = [artifact(), artifact({ platform: 'linux', arch: 'universal' })]
  await publish(server, '1.0.0', { artifacts })
  await publish(server, '1.1.0', { artifacts, rolloutPct: 60 })
  await publish(server, '2.0.0', {
    artifacts,
    rolloutPct: 10,
    targets: { matchLabels: { ring: 'beta' } },
  })
  await report(server, FLEET)
  return { server, console }
}

/** What each device is told by a dry run, by device. */
async function decisions(server: TestServer): Promise<Map<string, string | null>> {
  const { body } = await plan(server, FLEET, { dryRun: true })
  return new Map(
    body.decisions.map((one: { deviceId: string; update: { version: string } | null }) => [
      one.deviceId,
      one.update?.version ?? null,
    ]),
  )
}

/** Counts again, one device after the other, what a change of `version` did. */
function recount(
  version: string,
  before: Map<string, string | null>,
  after: Map<string, string | null>,
) {
  const changed = (test: (was: string | null, is: string | null, device: Device) => boolean) =>
    FLEET.filter((device) =>
      test(before.get(device.deviceId) ?? null, after.get(device.deviceId) ?? null, device),
    )
  return {
    gaining: changed((was, is) => was !== version && is === version),
    losing: changed((was, is) => was === version && is !== version),
    movingDown: changed((_, is, device) => device.version === version && is !== null),
    stranded: changed((_, is, device) => device.version === version && is === null),
  }
}

const CHANGES: Record<string, Omit<ServingChangeInput, 'app' | 'channel'>> = {
  'a ramp': { version: '1.1.0', rolloutPct: 90 },
  'a ramp with targets': { version: '2.0.0', rolloutPct: 55 },
  'broader targets': {
    version: '2.0.0',
    targets: { matchLabels: { ring: ['beta', 'wide'] }, matchExpressions: [] },
  },
  'a pause': { version: '1.1.0', status: 'paused' },
  'a roll-back': { version: '1.1.0', status: 'rolled_back' },
  'a roll-back of the newest': { version: '2.0.0', status: 'rolled_back' },
  'a roll-back of the lowest': { version: '1.0.0', status: 'rolled_back' },
}

test.for(Object.entries(CHANGES))('counts what the server then decides: %s', async ([, change]) => {
  const { server, console } = await startWithFleet()
  const before = await decisions(server)
  const { preview } = await previewOf(console, { ...PLACE, ...change })
  expect(await decisions(server), 'a preview changes nothing').toEqual(before)

  const { version, ...parts } = change
  expect((await serve(server, version, parts)).status).toBe(200)
  const counted = recount(version, before, await decisions(server))
  const isRollback = change.status === 'rolled_back'
  const expected = {
    devices: FLEET.length,
    gaining: counted.gaining.length,
    losing: counted.losing.length,
    movingDown: isRollback ? counted.movingDown.length : 0,
    stranded: isRollback ? counted.stranded.length : 0,
  }
  expect(preview).toMatchObject(expected)
  expect(
    expected.gaining + expected.losing + expected.movingDown + expected.stranded,
  ).toBeGreaterThan(0)
  for (const one of VERSIONS) {
    const line = preview.byVersion.find(({ name }) => name === one)
    const on = (devices: readonly Device[]) =>
      devices.filter((device) => device.version === one).length
    expect(line?.gaining ?? 0).toBe(on(counted.gaining))
    expect(line?.losing ?? 0).toBe(on(counted.losing))
  }
  const beta = preview.byLabel.find(({ name }) => name === 'ring=beta')
  expect(beta?.gaining ?? 0).toBe(
    counted.gaining.filter(({ labels }) => labels.ring === 'beta').length,
  )
  const mac = preview.byPlatform.find(({ name }) => name === 'darwin')
  expect(mac?.losing ?? 0).toBe(
    counted.losing.filter(({ platform }) => platform === 'macos').length,
  )
  const down = preview.downTo.reduce((sum, { devices }) => sum + devices, 0)
  expect(down).toBe(expected.movingDown)
})

test('counts devices with early access, and names manual checks, above 0% only', async () => {
  const { server, console } = await startConsole()
  const { id } = await publish(server, '1.0.0', { rolloutPct: 0 })
  const [inside, ...outside] = [0, 0.5, 0.6, 0.7].map((from) => deviceWithin(id, from, from + 0.1))
  const [byId, byLabel] = outside
  for (const device of [inside, ...outside]) await check(server, '0.9.0', { device })
  await check(server, '0.9.0', { device: byLabel, query: '?l.ring=beta' })
  await setPolicy(server, {
    manualChecks: true,
    earlyAccess: {
      deviceIds: [inside ?? '', byId ?? ''],
      targets: [{ matchLabels: { ring: 'beta' }, matchExpressions: [] }],
    },
  })
  const at = async (rolloutPct: number) =>
    (await previewOf(console, { ...PLACE, version: '1.0.0', rolloutPct })).preview
  expect(await at(0)).toMatchObject({ gaining: 0, earlyAccess: 0, manualChecks: false })
  expect(await at(20)).toMatchObject({ gaining: 3, earlyAccess: 2, manualChecks: true })
  expect(await at(100)).toMatchObject({ gaining: 4, earlyAccess: 0, manualChecks: false })
})

test('does not count devices whose labels name a system that is too old', async () => {
  const { server, console } = await startConsole()
  const artifacts = [artifact({ minimumSystemVersion: '23.4.0' })]
  await publish(server, '1.0.0', { artifacts, rolloutPct: 0 })
  for (const os of ['13.6', '14.4', '24.1.0', 'Ventura']) {
    await check(server, '0.9.0', { device: `on-${os}`, query: `?l.os=${os}` })
  }
  await check(server, '0.9.0', { device: 'silent' })
  const { preview } = await previewOf(console, { ...PLACE, version: '1.0.0', rolloutPct: 100 })
  expect(preview).toMatchObject({ devices: 5, gaining: 4 })
})

test('counts only the devices whose last check was on the channel', async () => {
  const { server, console } = await startConsole()
  await console.channels.create({ app: 'editor', name: 'beta' })
  await publish(server, '1.0.0', { rolloutPct: 0 })
  await publish(server, '1.0.0', { channel: 'beta' })
  await check(server, '0.9.0', { device: 'one' })
  await check(server, '0.9.0', { device: 'two' })
  await check(server, '0.9.0', { device: 'two', channel: 'beta' })
  const { preview } = await previewOf(console, { ...PLACE, version: '1.0.0', rolloutPct: 100 })
  expect(preview).toMatchObject({
    devices: 1,
    gaining: 1,
    byVersion: [{ name: '0.9.0', gaining: 1 }],
  })
})

test('an empty channel has a preview of zeros', async () => {
  const { server, console } = await startConsole()
  await publish(server, '1.0.0')
  const { preview } = await previewOf(console, { ...PLACE, version: '1.0.0', status: 'paused' })
  expect(preview).toMatchObject({ devices: 0, losing: 0, byLabel: [] })
})

test('rejects what the change itself would reject', async () => {
  const { server, console } = await startConsole()
  await publish(server, '1.0.0')
  await check(server, '0.9.0')
  const lower = { ...PLACE, version: '1.0.0', rolloutPct: 10 }
  expect(await failureOf(previewOf(console, lower))).toEqual(
    await failureOf(console.releases.changeServing(lower)),
  )
  expect(await failureOf(previewOf(console, { ...PLACE, version: '3.0.0' }))).toMatchObject({
    code: 'unknown',
  })
})

test('ends without a result when it is cancelled, and lets the next one run', async () => {
  const { server } = await startWithFleet()
  const controller = new AbortController()
  const events = await callerOf(server, controller.signal).releases.preview({
    ...PLACE,
    version: '1.1.0',
    rolloutPct: 90,
  })
  const all = (async () => {
    const seen = []
    for await (const event of events) seen.push(event)
    return seen
  })()
  controller.abort()
  expect((await all).filter(({ type }) => type === 'result')).toEqual([])
  const next = callerOf(server)
  const change = { ...PLACE, version: '1.1.0', rolloutPct: 90 }
  const { preview } = await previewOf(next, change)
  expect(preview.devices).toBe(FLEET.length)
  // The thread is kept, and counts from the beginning.
  expect((await previewOf(next, change)).preview).toEqual(preview)
})
