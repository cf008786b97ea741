import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { reachableAddresses } from '../../../../src/server/console/apps/addresses.ts'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import { openFleetDatabase } from '../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { publicConsoleAddress } from '../../../../src/server/web-console/offer-console.ts'
import { makeFleetFile } from '../../../support/builders/fleet-file.ts'
import { HOUR } from '../../../support/builders/time.ts'
import { check, publish, serve } from '../../../support/servers/calls.ts'
import { callerOf, startConsole } from '../../../support/servers/console.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { report } from '../../../support/servers/fleet-calls.ts'
import { startServer } from '../../../support/servers/server.ts'

const LOOPBACK = { mode: 'loopback', plainHttp: false } as const

const NO_ATTENTION = {
  ...{
    withdrawn: [],
    moreWithdrawn: 0,
    silent: [],
    moreSilent: 0,
    artifacts: [],
    moreArtifacts: 0,
  },
  ...{ provingFailed: false, plansFailed: false, bucketOutage: null, nodesNotServing: 0 },
  ...{ failing: [], moreFailing: 0, webhooks: [] },
}

test('an app that has nothing yet', async () => {
  const { server, console } = await startConsole()
  expect(await console.overview.get()).toEqual({
    addresses: [{ url: server.address, reach: 'this_machine' }],
    apps: [
      {
        ref: 'editor',
        name: 'Editor',
        archived: false,
        channels: [
          {
            ...{ name: 'stable', releases: 0, live: [], devices: 0, checkInsLast24Hours: 0 },
            ...{ seenLast24Hours: 0, seenLast7Days: 0, shareUpToDate: null },
          },
        ],
      },
    ],
    attention: NO_ATTENTION,
    telemetry: { lost: 0, failure: null },
    budgets: [],
  })
})

test('live releases with their rollout and adoption', async () => {
  const { server, console } = await startConsole()
  await publish(server, '1.0.0')
  await publish(server, '1.1.0', { targets: { matchLabels: { ring: 'beta' } } })
  await publish(server, '2.0.0', { rolloutPct: 25 })
  await publish(server, '3.0.0')
  await serve(server, '3.0.0', { status: 'paused' })
  await report(server, [
    { deviceId: 'a', version: '2.0.0' },
    { deviceId: 'b', version: '1.0.0' },
    { deviceId: 'c', version: '1.0.0' },
    { deviceId: 'd', version: '1.0.0' },
  ])
  await check(server, '2.0.0', { device: null })
  await server.fleet.settled()
  const { apps } = await console.overview.get()
  expect(apps[0]?.channels[0]).toMatchObject({
    releases: 4,
    live: [
      { version: '2.0.0', rolloutPct: 25, targeted: false, devices: 1, adoption: 0.25 },
      { version: '1.1.0', rolloutPct: 100, targeted: true, devices: 0, adoption: 0 },
      { version: '1.0.0', rolloutPct: 100, targeted: false, devices: 3, adoption: 0.75 },
    ],
    devices: 4,
    seenLast24Hours: 4,
    seenLast7Days: 4,
    // The devices on 1.0.0 wait for nothing: 2.0.0 is offered to a part.
    shareUpToDate: 1,
    checkInsLast24Hours: 5,
  })
})

test('24 hours and 7 days are counted back from now, not from the UTC day', async () => {
  const { folder, file, editor, stable, beta } = await makeFleetFile()
  const store = openFleetDatabase(file)
  const now = Date.now()
  let at = now
  const onFailure = (error: unknown) => {
    throw error
  }
  const fleet = await openFleetInMemory(store, { onFailure, clock: () => at })
  const seen = (channel: number, version: string, hoursAgo: number) => {
    at = now - hoursAgo * HOUR
    const profile = new ProfileClaim(channel, version, 'linux', hoursAgo % 2 ? 'x86_64' : 'aarch64')
    const deviceId = `${version}-${hoursAgo}`
    fleet.recorder.record({
      appKey: editor,
      deviceId,
      profile,
      at,
      source: 'check',
      reason: 'up_to_date',
    })
  }
  for (const hoursAgo of [0, 1, 23, 25, 48, 167, 169]) seen(stable, '1.0.0', hoursAgo)
  for (const hoursAgo of [2, 25, 300]) seen(stable, '1.1.0', hoursAgo)
  seen(beta, '1.1.0', 170)
  await fleet.stop()
  await store.close()
  const server = await startServer({ dataFolder: folder })
  await publish(server, '1.1.0')
  await publish(server, '1.1.0', { channel: 'beta' })
  const { apps, attention } = await callerOf(server).overview.get()
  expect(attention.silent).toEqual([{ app: 'editor', channel: 'beta', devices: 1 }])
  expect(apps[0]?.channels).toMatchObject([
    {
      ...{ name: 'stable', devices: 10, seenLast24Hours: 4, seenLast7Days: 8, shareUpToDate: 0.25 },
      live: [{ version: '1.1.0', devices: 2, adoption: 0.25 }],
    },
    { name: 'beta', devices: 1, seenLast24Hours: 0, seenLast7Days: 0 },
  ])
})

test('releases that were withdrawn need attention while devices run them', async () => {
  const { server, console } = await startConsole()
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) await publish(server, version)
  await serve(server, '1.1.0', { status: 'paused' })
  await serve(server, '1.2.0', { status: 'rolled_back' })
  await serve(server, '1.3.0', { status: 'rolled_back' })
  await report(server, [
    { deviceId: 'a', version: '1.0.0' },
    { deviceId: 'b', version: '1.1.0' },
    { deviceId: 'c', version: '1.2.0' },
    { deviceId: 'd', version: '1.2.0' },
  ])
  const place = { app: 'editor', channel: 'stable' }
  const { attention } = await console.overview.get()
  expect(attention).toEqual({
    ...NO_ATTENTION,
    withdrawn: [
      { ...place, version: '1.2.0', status: 'rolled_back', devices: 2 },
      { ...place, version: '1.1.0', status: 'paused', devices: 1 },
    ],
  })
  await console.apps.setArchived({ ref: 'editor', archived: true })
  expect((await console.overview.get()).attention.withdrawn).toEqual([])
})

test('the live releases end with the first that holds every device', async () => {
  const { server, console } = await startConsole()
  await publish(server, '1.0.0')
  await publish(server, '1.1.0')
  await publish(server, '1.2.0', { rolloutPct: 0 })
  await publish(server, '1.3.0', { artifacts: [] })
  const live = async () => {
    const { apps } = await console.overview.get()
    return apps[0]?.channels[0]?.live.map(({ version }) => version)
  }
  expect(await live()).toEqual(['1.2.0', '1.1.0'])
  await serve(server, '1.1.0', { status: 'rolled_back' })
  expect(await live()).toEqual(['1.2.0', '1.0.0'])
  await serve(server, '1.2.0', { rolloutPct: 100 })
  expect(await live()).toEqual(['1.2.0'])
})

test('a server that listens everywhere has the address of every interface', () => {
  const info = (address: string, family: 'IPv4' | 'IPv6', internal = false) =>
    ({ address, family, internal }) as NetworkInterfaceInfo
  const interfaces = {
    lo: [info('127.0.0.1', 'IPv4', true)],
    eth0: [info('192.168.1.20', 'IPv4'), info('fe80::1', 'IPv6')],
  }
  const everywhere = [
    { url: 'https://127.0.0.1:8440', reach: 'this_machine' },
    { url: 'https://192.168.1.20:8440', reach: 'network' },
  ]
  expect(reachableAddresses('https://0.0.0.0:8440', interfaces)).toEqual(everywhere)
  expect(reachableAddresses('https://[::]:8440', interfaces)).toEqual(everywhere)
  expect(reachableAddresses('http://192.168.1.20:8440', interfaces)).toEqual([
    { url: 'http://192.168.1.20:8440', reach: 'network' },
  ])
})

test('behind a proxy, apps and mails get its address in place of that of the server', async () => {
  const proxied = {
    trustProxy: ['loopback'],
    console: { names: ['updates.example.com'], pageFolder: '/' },
  }
  const atPath = 'https://updates.example.com:9443/tidegate'
  for (const [publicUrl, forDevices, forPeople] of [
    [undefined, 'https://updates.example.com', 'https://updates.example.com/console/'],
    // With its port and path.
    [atPath, atPath, `${atPath}/console/`],
    // The console has another name.
    ['https://cdn.example', 'https://cdn.example', 'https://updates.example.com/console/'],
  ] as const) {
    const server = await startServer({ ...proxied, publicUrl })
    const console = callerOf(server)
    await console.apps.create({ ref: 'editor', name: 'Editor' })
    const own = { url: server.address, reach: 'this_machine' }
    const expected = [{ url: forDevices, reach: 'network' }, own]
    expect((await console.overview.get()).addresses).toEqual(expected)
    const { snippets } = await console.apps.connect({ app: 'editor', channel: 'stable' })
    expect(snippets[0]?.text).toContain(`${forDevices}/u/editor/stable/`)
    const config = { ...proxied, publicUrl, console: { ...LOOPBACK, ...proxied.console } }
    expect(publicConsoleAddress(config, server.address)).toBe(forPeople)
  }
})

test.skipIf(isOnPostgres)('a server whose data is in SQLite has no nodes', async () => {
  const { console } = await startConsole()
  expect(await console.nodes.list()).toBeNull()
})
