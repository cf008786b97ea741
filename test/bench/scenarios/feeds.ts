import { APP, ELECTRON, newestOf } from '../fleet/releases.ts'
import { randomElectronFeeds } from '../fleet/requests.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { pinned, pinning } from '../process/affinity.ts'
import { AIMS } from './aims.ts'
import { CHECK_COLUMNS, type CheckRounds, checkRow } from './check-row.ts'
import { CHECK_CONNECTIONS, measureBesideBare, notesOf } from './checks.ts'
import type { Bench } from './scenario.ts'

interface Case {
  readonly name: string
  /** The query of a device that runs the version. */
  query(version: string): string
}

const CASES: readonly Case[] = [
  { name: 'electron', query: () => 'noCache=1jf7s8a3k' },
  { name: 'electron, version', query: (version) => `version=${version}` },
  { name: 'electron, latest', query: () => `version=${newestOf(10)}` },
]

/** Feeds of electron-updater, as update checks are measured: beside a bare server that sends the same bytes. */
export async function feeds(bench: Bench): Promise<Table> {
  const devices = bench.scale.fewDevices
  const releases = ELECTRON.releases.length
  const pins = pinning()
  const measured = await bench.seeds.lend(devices, (data) =>
    pinned(pins, async () => {
      const server = await bench.tidegate.serve(data.folder, pins?.server)
      const results: CheckRounds[] = []
      for (const { name, query } of CASES) {
        if (!name.includes(bench.only)) continue
        showProgress(`feeds: ${name}`)
        const next = randomElectronFeeds(APP, ELECTRON.name, devices, query)
        const rounds = await measureBesideBare(bench, server, next, 200, pins)
        results.push({ case: name, devices, releases, ...rounds })
      }
      await server.stop()
      return results
    }),
  )
  return {
    title: `Electron feeds: ${CHECK_CONNECTIONS} connections, a random device each, medians`,
    columns: CHECK_COLUMNS,
    rows: measured.map((rounds) => checkRow(rounds, AIMS.feedRatio)),
    notes: notesOf(pins, measured),
    details: measured,
  }
}
