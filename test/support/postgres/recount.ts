import { expect } from 'vitest'
import { eachCell, isOfDevices } from '../../../src/server/fleet/health/cells.ts'
import {
  intervalOf,
  phaseOf,
  progressOf,
  releaseOf,
} from '../../../src/server/fleet/health/packed-episode.ts'
import { dayOf } from '../../../src/server/fleet/time.ts'
import type { Queries } from '../../../src/server/storage/postgres/connection/queries.ts'

interface Row {
  readonly id: number
  readonly profile: number
  readonly last_seen: number
  readonly last_check_in: number
  readonly episode: number
  readonly evidence: number
}

/** Compares the counters, summed over the slots, with the devices. */
export async function expectCounted(database: Queries): Promise<void> {
  const devices = await database.rows<Row>('SELECT * FROM devices')
  const presence = new Map<string, number>()
  const counts = new Map<string, number>()
  const add = (cells: Map<string, number>, cell: string, change: number) => {
    const sum = (cells.get(cell) ?? 0) + change
    if (sum === 0) cells.delete(cell)
    else cells.set(cell, sum)
  }
  for (const { profile, last_seen, episode, evidence } of devices) {
    add(presence, `${profile} ${dayOf(last_seen)}`, 1)
    const release = releaseOf(episode)
    if (release === 0) continue
    const progress = progressOf(episode)
    const [phase, interval] = [phaseOf(progress), intervalOf(progress)]
    const count = (cell: number) => add(counts, `${release} ${cell}`, 1)
    eachCell(phase, interval, last_seen, evidence, count)
  }
  const stored = await database.rows<{ profile: number; day: number; devices: number }>(
    'SELECT profile, day, sum(devices) AS devices FROM presence GROUP BY 1, 2 HAVING sum(devices) <> 0',
  )
  expect(new Map(stored.map((row) => [`${row.profile} ${row.day}`, row.devices]))).toEqual(presence)
  const health = await database.rows<{ release: number; cell: number; devices: number }>(
    'SELECT release, cell, sum(devices) AS devices FROM release_counts GROUP BY 1, 2 HAVING sum(devices) <> 0',
  )
  const ofDevices = health.filter(({ cell }) => isOfDevices(cell))
  expect(new Map(ofDevices.map((row) => [`${row.release} ${row.cell}`, row.devices]))).toEqual(
    counts,
  )
}

/** The same, and with the log, which must have everything since the start. */
export async function expectExact(database: Queries): Promise<void> {
  await expectCounted(database)
  const devices = await database.rows<Row>('SELECT * FROM devices')
  const log = await database.rows<{ id: number; device: number; previous: number }>(
    'SELECT * FROM check_ins',
  )
  const traffic = await database.row<{ checkIns: number; anonymous: number }>(
    'SELECT coalesce(sum(check_ins), 0) AS "checkIns", coalesce(sum(anonymous), 0) AS anonymous FROM traffic',
  )
  const anonymous = log.filter(({ device }) => device === 0).length
  expect(traffic).toEqual({ checkIns: log.length, anonymous })
  // Each device's chain has all of its check-ins, once.
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const logged = new Map<number, number>()
  for (const { device } of log) logged.set(device, (logged.get(device) ?? 0) + 1)
  for (const { id, last_check_in } of devices) {
    let length = 0
    for (let at = last_check_in; at !== 0; at = byId.get(at)?.previous ?? 0) {
      if (byId.get(at)?.device !== id) expect.fail(`check-in ${at} is not one of device ${id}`)
      length++
    }
    expect(length).toBe(logged.get(id) ?? 0)
  }
}
