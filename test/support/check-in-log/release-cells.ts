import { timeCell } from '../../../src/server/fleet/health/adoption-times.ts'
import {
  deviceCell,
  PASSED,
  RECOVERED,
  readWeighedCell,
} from '../../../src/server/fleet/health/cells.ts'
import { phaseOf, readStage } from '../../../src/server/fleet/health/packed-episode.ts'
import { FIRST_INTERVAL, nextInterval } from '../../../src/server/fleet/health/usual-interval.ts'
import type { Connection } from '../../../src/server/storage/sqlite/database.ts'
import type { Cells } from './counters.ts'
import { adoptionsOf, episodesOf, type Visit } from './visits.ts'

/** Counts cells by name, such as `2 in cell 3`. */
class Tally {
  readonly #cells = new Map<string, number>()

  add(release: number, cell: number): void {
    const name = `${release} in cell ${cell}`
    this.#cells.set(name, (this.#cells.get(name) ?? 0) + 1)
  }

  get cells(): Cells {
    return Object.fromEntries(this.#cells)
  }
}

/** The counters of all devices as they are stored, by the number of the release. The log does not have who sent what. */
export function storedReleaseCells(database: Connection): Cells {
  const sql = `SELECT release || ' in cell ' || cell, cell, devices FROM release_counts`
  const rows = database.prepare<[], [string, number, number]>(sql).raw().all()
  const ofAll = rows.filter(([, cell]) => readWeighedCell(cell) === null)
  return Object.fromEntries(ofAll.map(([name, , devices]) => [name, devices]))
}

/** Those of them that count devices, recounted from the last check-in in the log of each device that is known. */
export function recountedDeviceCells(database: Connection): Cells {
  const tally = new Tally()
  const sql = `SELECT device, at, kind >> 8 AS stage FROM check_ins
    WHERE device IN (SELECT id FROM devices) ORDER BY id`
  const last = new Map<number, { at: number; interval: number; stage: number }>()
  for (const [device, at, stage] of database
    .prepare<[], [number, number, number]>(sql)
    .raw()
    .all()) {
    const before = last.get(device)
    const gap = before === undefined ? 0 : Math.floor((at - before.at) / 1_000)
    last.set(device, { at, interval: nextInterval(before?.interval ?? FIRST_INTERVAL, gap), stage })
  }
  for (const { at, interval, stage } of last.values()) {
    const { release, progress } = readStage(stage, interval)
    if (release !== 0) tally.add(release, deviceCell(phaseOf(progress), interval, at))
  }
  return tally.cells
}

/** All visits of a device, oldest first. Another channel begins another list. `isGone`: it was forgotten. */
export interface DeviceVisits {
  readonly channels: readonly (readonly Visit[])[]
  readonly isGone: boolean
}

/** The counters, recounted from all that devices did; releases by the numbers of the visits. */
export function recountedReleaseCells(devices: Iterable<DeviceVisits>): Cells {
  const tally = new Tally()
  for (const { channels, isGone } of devices) {
    for (const visits of channels) {
      const { passed, took, recovered } = adoptionsOf(visits)
      for (const release of passed) tally.add(release, PASSED)
      for (const release of recovered) tally.add(release, RECOVERED)
      for (const [release, seconds] of took) tally.add(release, timeCell(seconds))
    }
    const last = episodesOf(channels.at(-1) ?? []).at(-1)
    if (isGone || last === undefined || last.release === 0) continue
    const times = channels.flat().map(({ at }) => at)
    const interval = times.reduce(
      (usual, at, index) =>
        index === 0 ? usual : nextInterval(usual, at - (times[index - 1] ?? at)),
      FIRST_INTERVAL,
    )
    tally.add(last.release, deviceCell(last.phase, interval, (times.at(-1) ?? 0) * 1_000))
  }
  return tally.cells
}
