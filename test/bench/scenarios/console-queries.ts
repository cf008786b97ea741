import { join } from 'node:path'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { forPrincipal } from '../../../src/server/console/context.ts'
import { desktopPrincipal } from '../../../src/server/console/procedures.ts'
import { consoleRouter } from '../../../src/server/console/router.ts'
import { createServer } from '../../../src/server/server.ts'
import { makeLargeFleet } from '../../support/builders/large-fleet.ts'
import {
  CHANNELS,
  LARGE_APP,
  largeDeviceId,
  largeProfile,
  PLATFORMS,
  PROFILE_COUNT,
  VERSIONS,
} from '../../support/builders/large-fleet-plan.ts'
import { askerOf } from '../console-asker.ts'
import { clicks } from '../console-clicks.ts'
import { randomIntegers } from '../fleet/random.ts'
import { check } from '../fleet/requests.ts'
import { drive, type LoadResult } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { Listener } from '../process/listener.ts'
import type { Scale } from '../scale.ts'
import { AIMS } from './aims.ts'
import { CHECK_CONNECTIONS } from './checks.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import type { Bench } from './scenario.ts'

const CLICKED_SERVER = join(import.meta.dirname, '../clicked-server.ts')
const MILLION = 1_000_000
/** Check-ins in the counters of a million devices, over 90 days. */
const CHECK_INS = 50 * MILLION
const AUDIT_ENTRIES = 100_000
/** Devices whose checks are prepared. */
const CHECKING = 100_000

/** Queries of the console's screens on a large fleet, and their effect on checks. */
export async function consoleQueries({ workspace, scale }: Bench): Promise<Table> {
  const devices = scale.manyDevices
  const size = devices / MILLION
  const folder = workspace.folder('console')
  showProgress(`console: making ${devices} devices`)
  const auditEntries = Math.ceil(AUDIT_ENTRIES * Math.min(1, size))
  const checkIns = Math.ceil(CHECK_INS * size)
  await makeLargeFleet(folder, { devices, end: Date.now(), checkIns, auditEntries })
  const figures = await queries(folder, scale.rounds)
  const server = await Listener.start(workspace, { args: [CLICKED_SERVER, folder] })
  figures.push(...(await checksBesideClicks(server, scale)))
  await server.stop()
  return {
    title: `Console: ${devices} devices, ${auditEntries} audit entries, as its screens ask`,
    columns: FIGURE_COLUMNS,
    rows: figures.map(figureRow),
    notes: [
      `${PROFILE_COUNT} profiles: ${VERSIONS.length} versions on ${PLATFORMS.length} platforms over ${CHANNELS.length} channels, each with devices on all days and`,
      `hours. The counters of 90 days stand for ${checkIns} check-ins; the log has the newest of each device.`,
      'Queries: one at a time, the way to the reader thread included; the first of each is not counted.',
      `Checks: ${CHECK_CONNECTIONS} connections, a random device each, without and with clicks in turns; nothing is pinned.`,
      'Clicks: one every 100 ms after the answer to the one before, through all queries above.',
    ],
    details: figures.map(({ than: _, ...figure }) => figure),
  }
}

async function queries(dataFolder: string, rounds: number): Promise<Figure[]> {
  const server = await createServer({ dataFolder, port: 0 }).start()
  try {
    await publishEverywhere(server)
    const figures: Figure[] = []
    const ask = askerOf(server)
    for (const { what, path, input } of clicks()) {
      showProgress(`console: ${what}`)
      const values: number[] = []
      for (let round = 0; round <= rounds * 2; round++) {
        const began = performance.now()
        await ask(path, input())
        values.push(performance.now() - began)
      }
      figures.push({ what, unit: 'ms', values: values.slice(1), aim: AIMS.consoleMs })
    }
    showProgress('console: preflight')
    const values: number[] = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      for (const channel of CHANNELS) {
        await ask('releases.preflight', { app: LARGE_APP, channel, version: '2.0.0' })
      }
      values.push(performance.now() - began)
    }
    figures.push({ what: 'preflight of all channels', unit: 'ms', values, aim: AIMS.preflightMs })
    return figures
  } finally {
    await server.stop()
  }
}

/** A release on every channel, offered to every device. */
export async function publishEverywhere(server: RunningServer): Promise<void> {
  const { releases } = consoleRouter.createCaller(
    forPrincipal(server.consoleContext, desktopPrincipal()),
  )
  for (const channel of CHANNELS) {
    const artifacts = artifactsEverywhere()
    await releases.publish({ app: LARGE_APP, channel, version: '2.0.0', artifacts })
  }
}

/** A file for every platform of the fleet. */
export function artifactsEverywhere() {
  return PLATFORMS.map(([platform, arch]) => {
    const url = `https://downloads.studio.example/editor-${platform}-${arch}.tar.gz`
    return { platform, arch, url, sha512: 'ab'.repeat(64) }
  })
}

async function checksBesideClicks(server: Listener, scale: Scale): Promise<Figure[]> {
  const next = checksOf(scale.manyDevices)
  const { port, pid } = server
  const load = { port, pid, next, expect: 200, connections: CHECK_CONNECTIONS }
  const round = (measureMs: number) =>
    drive({ ...load, window: { leadInMs: scale.leadInMs, measureMs } })
  const toggle = () => process.kill(pid, 'SIGUSR2')
  const [alone, beside]: [LoadResult[], LoadResult[]] = [[], []]
  await round(scale.warmUpMs)
  for (let i = 0; i < scale.rounds; i += 1) {
    showProgress(`console: checks beside clicks, round ${i + 1}`)
    alone.push(await round(scale.measureMs))
    toggle()
    beside.push(await round(scale.measureMs))
    toggle()
  }
  const figure = (
    what: string,
    unit: string,
    of: (result: LoadResult) => number,
  ): readonly Figure[] => {
    const without = { what: `checks: ${what}`, unit, values: alone.map(of) }
    return [
      without,
      { what: `checks: ${what}, clicks`, unit, values: beside.map(of), than: without },
    ]
  }
  return [
    ...figure('p50', 'ms', ({ p50 }) => p50),
    ...figure('p99', 'ms', ({ p99 }) => p99),
    ...figure('a second', '1/s', ({ perSecond }) => perSecond),
  ]
}

/** Checks of devices that already run the latest version. */
export function checksOf(devices: number): () => Uint8Array | undefined {
  const random = randomIntegers(0x7f4a7c15)
  const checks = Array.from({ length: Math.min(CHECKING, devices) }, () => {
    const device = 1 + (random() % devices)
    const { channel, version, platform, arch } = largeProfile(device)
    const place = { platform, arch }
    return Buffer.from(check(LARGE_APP, channel, version, largeDeviceId(device), place), 'latin1')
  })
  return () => checks[random() % checks.length]
}
