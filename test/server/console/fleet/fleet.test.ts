import { describe, expect, test } from 'vitest'
import { forPrincipal } from '../../../../src/server/console/context.ts'
import { dashboardOf } from '../../../../src/server/console/fleet/fleet-dashboard.ts'
import { RecentDeviceCounts } from '../../../../src/server/console/fleet/recent-devices.ts'
import { desktopPrincipal } from '../../../../src/server/console/procedures.ts'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import { openFleetDatabase } from '../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import type { DeviceListInput } from '../../../../src/shared/console/devices.ts'
import { Dashboard, type FleetRange } from '../../../../src/shared/console/fleet.ts'
import { makeFleetFile } from '../../../support/builders/fleet-file.ts'
import { HOUR } from '../../../support/builders/time.ts'
import { DASHBOARD_CHECK_INS, recountDashboard } from '../../../support/check-in-log/dashboard.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { callerOf, failureOf, startConsole } from '../../../support/servers/console.ts'
import { startServer } from '../../../support/servers/server.ts'
import { storedRows } from '../../../support/servers/stored.ts'

// The server deletes what is old by this computer's clock, so the history ends with it.
const NOW = Date.now()
const PLATFORMS = [
  ['darwin', 'aarch64'],
  ['macos', 'arm64'],
  ['windows', 'x86_64'],
] as const

/** A server whose fleet checked in for 95 days: devices that update, pause, and change channel. */
async function startWithHistory() {
  const { folder, file, editor, player, stable, beta, playerStable } = await makeFleetFile()
  const store = openFleetDatabase(file)
  let at = NOW
  const onFailure = (error: unknown) => {
    throw error
  }
  const fleet = await openFleetInMemory(store, { onFailure, clock: () => at })
  const record = (channel: number, device: number | null, minor: number, appKey = editor) => {
    const [platform, arch] = PLATFORMS[(device ?? 0) % 3] ?? ['', '']
    const profile = new ProfileClaim(channel, `1.${minor}.0`, platform, arch)
    const deviceId = device === null ? null : `device-${device}`
    const reason = minor % 2 === 0 ? 'update' : 'up_to_date'
    fleet.recorder.record({ appKey, deviceId, profile, at, source: 'check', reason })
  }
  for (let hour = 95 * 24; hour >= 0; hour -= hour > 9 * 24 ? 7 : 1) {
    at = NOW - hour * HOUR
    const newest = Math.floor((95 * 24 - hour) / 150)
    for (let device = hour % 4; device < 30; device += 3 + (hour % 5)) {
      const minor = Math.max(0, newest - (device % 4))
      record(device % 7 === hour % 7 ? beta : stable, device, minor)
    }
    if (hour % 3 === 0) record(stable, null, newest)
    record(playerStable, hour % 5, 1, player)
  }
  await fleet.writer.settled()
  await fleet.stop()
  await store.close()
  return {
    server: await startServer({ dataFolder: folder, keepCheckInDays: 0 }),
  }
}

describe('the dashboard', () => {
  test('equals a recount of every check-in', async () => {
    const { server } = await startWithHistory()
    const checkIns = await storedRows(server, DASHBOARD_CHECK_INS)
    const context = forPrincipal(server.consoleContext, desktopPrincipal())
    const recentDevices = new RecentDeviceCounts({
      count: () => context.fleet.activeDevices(NOW),
      sequence: () => 0,
    })
    const shown = async (range: FleetRange, channel?: string) =>
      Dashboard.parse(
        await dashboardOf({ ...context, recentDevices }, { app: 'editor', range, channel }, NOW),
      )
    for (const range of ['24h', '7d', '30d', '90d'] as const) {
      for (const channel of [undefined, 'stable', 'beta']) {
        const { marks, ...numbers } = await shown(range, channel)
        const recounted = recountDashboard(checkIns, { app: 'editor', range, channel }, NOW)
        expect(numbers, `${range} ${channel}`).toMatchObject(recounted)
        expect(Math.max(...numbers.adoption.total)).toBeGreaterThan(1)
      }
    }
    expect((await shown('90d')).adoption.otherVersions).toBeGreaterThan(0)
  })

  test('counts the devices of a period as the device list and the overview do', async () => {
    const { server } = await startWithHistory()
    const console = callerOf(server)
    const listed = async (filter: Partial<DeviceListInput>) =>
      (await console.devices.list({ app: 'editor', ...filter })).total
    for (const seen of ['24h', '7d', '30d', '90d'] as const) {
      const { platforms } = await console.fleet.dashboard({ app: 'editor', range: seen })
      for (const { platform, arch, devices } of platforms.rows) {
        expect(await listed({ seen, platform, arch }), `${seen} ${platform}`).toBe(devices)
      }
    }
    const { totals } = await console.fleet.dashboard({ app: 'editor', range: '7d' })
    expect(totals.seenLast24Hours).toBe(await listed({ seen: '24h' }))
    expect(totals.seenLast7Days).toBe(await listed({ seen: '7d' }))
    expect(totals.seenLast30Days).toBe(await listed({ seen: '30d' }))
    const { apps } = await console.overview.get()
    const channels = apps.find(({ ref }) => ref === 'editor')?.channels ?? []
    expect(channels.reduce((sum, { seenLast7Days }) => sum + seenLast7Days, 0)).toBe(
      totals.seenLast7Days,
    )
  })

  test('an app without check-ins has zeros and no bands', async () => {
    const { console } = await startConsole()
    const { adoption, traffic, platforms, totals, marks, steps } = await console.fleet.dashboard({
      app: 'editor',
      range: '24h',
    })
    expect(steps).toHaveLength(24)
    expect(adoption).toEqual({ total: new Array(24).fill(0), bands: [], otherVersions: 0 })
    expect(traffic.checkIns).toEqual(new Array(24).fill(0))
    expect(platforms.rows).toEqual([])
    expect(totals).toEqual({
      devices: 0,
      seenLast24Hours: 0,
      seenLast7Days: 0,
      seenLast30Days: 0,
      shareUpToDate: null,
    })
    expect(marks).toEqual([])
  })

  test('marks changes of rollouts, oldest first, and not those of targets', async () => {
    const { server, console } = await startConsole()
    await console.channels.create({ app: 'editor', name: 'beta' })
    await publish(server, '1.0.0', { rolloutPct: 10 })
    await serve(server, '1.0.0', { rolloutPct: 50 })
    await serve(server, '1.0.0', { targets: { matchLabels: { ring: 'beta' } } })
    await serve(server, '1.0.0', { status: 'paused' })
    await serve(server, '1.0.0', { status: 'published', rolloutPct: 25 })
    await publish(server, '2.0.0', { channel: 'beta' })
    await serve(server, '1.0.0', { status: 'rolled_back' })
    const marksOf = async (channel?: string) => {
      const { marks } = await console.fleet.dashboard({ app: 'editor', channel, range: '7d' })
      return marks.map(({ version, change, rolloutPct }) => `${version} ${change} ${rolloutPct}`)
    }
    expect(await marksOf('stable')).toEqual([
      '1.0.0 published 10',
      '1.0.0 raised 50',
      '1.0.0 paused null',
      '1.0.0 lowered 25',
      '1.0.0 resumed null',
      '1.0.0 rolled_back null',
    ])
    expect(await marksOf('beta')).toEqual(['2.0.0 published 100'])
    expect(await marksOf()).toHaveLength(7)
  })

  test('the share on the newest release is that of each channel by its own', async () => {
    const { server, console } = await startConsole()
    await console.channels.create({ app: 'editor', name: 'beta' })
    await publish(server, '1.0.0')
    await publish(server, '2.0.0', { channel: 'beta' })
    const report = (channel: string, devices: unknown[]) =>
      server.call('POST', '/api/v1/fleet/decisions', { body: { app: 'editor', channel, devices } })
    const device = (deviceId: string, version: string) => ({
      ...{ deviceId, version },
      ...{ platform: 'linux', arch: 'x64' },
    })
    await report('stable', [device('a', '1.0.0'), device('b', '0.9.0')])
    await report('beta', [device('c', '2.0.0'), device('d', '1.0.0')])
    const totals = async (channel?: string) =>
      (await console.fleet.dashboard({ app: 'editor', channel, range: '24h' })).totals
    expect(await totals()).toMatchObject({ devices: 4, shareUpToDate: 0.5 })
    expect(await totals('beta')).toMatchObject({ devices: 2, shareUpToDate: 0.5 })
  })

  test('an app or a channel that is not there is refused by its name', async () => {
    const { console } = await startConsole()
    const range = '24h'
    expect(await failureOf(console.fleet.dashboard({ app: 'nope', range }))).toMatchObject({
      code: 'unknown',
      message: expect.stringContaining('nope'),
    })
    expect(
      await failureOf(console.fleet.dashboard({ app: 'editor', channel: 'nope', range })),
    ).toMatchObject({ code: 'unknown', message: expect.stringContaining('nope') })
  })
})
