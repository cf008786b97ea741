// @module-tag long

import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { allFiles } from '../../src/demo/artifact-files.ts'
import type { DemoFolder } from '../../src/demo/folder.ts'
import type { RunningServer } from '../../src/server/compose/running-server.ts'
import { compareVersions, parseVersion } from '../../src/server/rules/decision/version.ts'
import { makeSmallDemo } from '../support/builders/demo-folder.ts'
import { fileFolder, temporaryFolder } from '../support/builders/folders.ts'
import { HOUR } from '../support/builders/time.ts'
import { checkInsOf, type LoggedCheckIn } from '../support/check-in-log/check-ins.ts'
import { recountedCounters, storedCounters } from '../support/check-in-log/counters.ts'
import { openFolder } from '../support/servers/database.ts'

const END = Date.UTC(2026, 9, 14, 15, 26)
const DOWNLOADS = 'https://downloads.example'

const folder = fileFolder()
/** `device version` of everything that was offered, as the answers themselves say. */
const offered = new Set<string>()
let demo: DemoFolder
let checkIns: LoggedCheckIn[]

/** Listens to the answers of a server on their way to the devices. */
function overhear(server: RunningServer): RunningServer {
  const { check } = server.updates
  const updates: RunningServer['updates'] = {
    ...server.updates,
    async check(asked) {
      const offer = await check(asked)
      const version = offer?.decision.release.facts.version
      if (asked.deviceId !== null && offer !== null) offered.add(`${asked.deviceId} ${version}`)
      return offer
    },
  }
  return { ...server, updates }
}

beforeAll(async () => {
  demo = await makeSmallDemo(folder, { end: END, watch: overhear })
  const database = openFolder(folder)
  checkIns = checkInsOf(database)
  database.close()
})

test('every counter equals its check-ins', () => {
  const database = openFolder(folder)
  // Hours of hourly adoption that are compared: fewer than are kept.
  const firstHour = Math.floor((checkIns.at(-1)?.at ?? 0) / HOUR) - 167
  const stored = storedCounters(database, firstHour)
  const recounted = recountedCounters(database, firstHour)
  database.close()
  expect(demo.checkIns).toBe(checkIns.length)
  expect(Object.keys(stored.adoption).length).toBeGreaterThan(100)
  expect(Object.keys(stored.hourly).length).toBeGreaterThan(100)
  expect(recounted).toEqual(stored)
})

test('the chain of a device leads through all of its changes, back to when it came', () => {
  const database = openFolder(folder)
  const newest = database
    .prepare<[], [number, number]>('SELECT device, last_change FROM device_states')
    .raw()
    .all()
  const change = database
    .prepare<[number], [number, string, number]>(
      `SELECT device, version, previous FROM profile_changes
        JOIN profiles ON profiles.id = profile WHERE profile_changes.id = ?`,
    )
    .raw()
  const walk = (id: number): string[] => {
    const row = change.get(id)
    return row === undefined ? [] : [...walk(row[2]), row[1]]
  }
  const walked = new Map(newest.map(([device, id]) => [device, walk(id)]))
  database.close()
  const logged = new Map<number, string[]>()
  for (const { device, version } of checkIns) {
    if (device === 0) continue
    const versions = logged.get(device) ?? []
    if (versions.at(-1) !== version) versions.push(version)
    logged.set(device, versions)
  }
  expect(walked).toEqual(logged)
})

test('the same seed makes the same fleet, another seed another', async () => {
  const [again, other] = [temporaryFolder(), temporaryFolder()]
  await makeSmallDemo(again, { end: END })
  await makeSmallDemo(other, { end: END, seed: 2 })
  const [first, second, third] = [folder, again, other].map(contentOf)
  expect(second).toEqual(first)
  expect(third?.counters).not.toEqual(first?.counters)
})

test('no device runs a version that it was never offered', () => {
  const ids = deviceIds()
  const runs = new Map<number, string>()
  const wrong: string[] = []
  let updates = 0
  for (const { device, version } of checkIns) {
    const before = runs.get(device)
    runs.set(device, version)
    if (device === 0 || before === undefined || before === version) continue
    updates++
    const step = `${ids.get(device)} ${version}`
    if (!offered.has(step)) wrong.push(step)
  }
  expect(wrong).toEqual([])
  expect(updates).toBeGreaterThan(200)
})

test('devices of a release that was rolled back went down to the one before', () => {
  const down = new Set<number>()
  const ran = new Set<number>()
  const last = new Map<number, LoggedCheckIn>()
  for (const checkIn of checkIns) {
    const before = last.get(checkIn.device)
    last.set(checkIn.device, checkIn)
    if (checkIn.device === 0) continue
    if (checkIn.version === '2.0.0') ran.add(checkIn.device)
    if (before === undefined || order(checkIn.version, before.version) >= 0) continue
    expect(before.reason).toBe('rollback')
    expect(['2.0.0 1.9.1', '4.4.1 4.4.0']).toContain(`${before.version} ${checkIn.version}`)
    if (before.version === '2.0.0') down.add(checkIn.device)
  }
  expect(ran.size).toBeGreaterThan(2)
  expect(down.size / ran.size).toBeGreaterThan(0.5)
})

test('old devices take the stepping stone before Lantern 2', () => {
  const steps = new Set<string>()
  const runs = new Map<number, string>()
  for (const { device, version } of checkIns) {
    const before = runs.get(device)
    if (device !== 0 && before !== undefined) steps.add(`${before} ${version}`)
    runs.set(device, version)
  }
  const jumps = [...steps].filter((step) => /^1\.[78]\.\d 2\./.test(step))
  expect(jumps).toEqual([])
  expect([...steps].some((step) => /^1\.9\.\d 2\.0\.1/.test(step))).toBe(true)
})

test('the story is complete and in order, with several actors', () => {
  const database = openFolder(folder)
  const releases = database.prepare('SELECT count(*) FROM releases').pluck().get()
  const times = database.prepare<[], string>('SELECT at FROM audit ORDER BY id').pluck().all()
  const actions = database
    .prepare<[], string>('SELECT DISTINCT action FROM audit ORDER BY action')
    .pluck()
    .all()
  const actors = database.prepare('SELECT count(DISTINCT actor_name) FROM audit').pluck().get()
  const running = database
    .prepare("SELECT rollout_pct FROM releases WHERE version = '2.1.0'")
    .pluck()
    .get()
  database.close()
  expect(releases).toBe(32)
  expect(times).toEqual(times.toSorted())
  expect(Date.parse(times.at(-1) ?? '')).toBeLessThan(END)
  expect(actions).toEqual([
    'app.created',
    'app.freezes_changed',
    'channel.created',
    'channel.policy_changed',
    'key.minted',
    'key.revoked',
    'release.plan_finished',
    'release.plan_set',
    'release.plan_step_applied',
    'release.published',
    'release.serving_changed',
  ])
  expect(actors).toBe(4)
  expect(running).toBe(25)
})

test('a plan rolls a good release out to everyone', () => {
  const database = openFolder(folder)
  const steps = database
    .prepare<[], string>(
      `SELECT after FROM audit WHERE app = 'sift' AND version = '1.1.0'
        AND action = 'release.plan_step_applied' ORDER BY id`,
    )
    .pluck()
    .all()
    .map((after) => JSON.parse(after).rolloutPct)
  const health = database
    .prepare(
      `SELECT count(*) FROM releases WHERE version = '1.1.0' AND rollout_pct = 100
        AND id IN (SELECT release_id FROM offered_releases)`,
    )
    .pluck()
    .get()
  database.close()
  expect(steps).toEqual([10, 50, 100])
  expect(health).toBe(1)
})

test('devices on which a release fails report it and stay below it', () => {
  const database = openFolder(folder)
  const reported = database
    .prepare<[], number>(
      `SELECT DISTINCT device FROM outcome_details
        WHERE detail = 'Migration of scheduled messages failed'`,
    )
    .pluck()
    .all()
  database.close()
  const ran = new Set(
    checkIns.filter(({ version }) => version === '4.4.1').map(({ device }) => device),
  )
  expect(reported.length).toBeGreaterThan(1)
  expect(reported.filter((device) => ran.has(device))).toEqual([])
})

test('every artifact is a file of that checksum and size', () => {
  const database = openFolder(folder)
  const artifacts = database
    .prepare<[], { url: string; sha512: string; size: number }>(
      'SELECT url, sha512, size FROM artifacts',
    )
    .all()
  database.close()
  const files = allFiles()
  expect(artifacts.length).toBeGreaterThan(100)
  for (const { url, sha512, size } of artifacts) {
    const content = files.get(url.slice(DOWNLOADS.length))?.()
    expect(content?.length).toBe(size)
    expect(
      createHash('sha512')
        .update(content ?? '')
        .digest('base64'),
    ).toBe(sha512)
  }
})

function order(one: string, other: string): number {
  return compareVersions(parseVersion(one), parseVersion(other))
}

function deviceIds(): Map<number, string> {
  const database = openFolder(folder)
  const rows = database
    .prepare<[], [number, string]>('SELECT id, device_id FROM devices')
    .raw()
    .all()
  database.close()
  return new Map(rows)
}

/** All that must be the same for the same seed: not the keys, whose secrets are random. */
function contentOf(path: string) {
  const database = openFolder(path)
  const all = (sql: string) => database.prepare(sql).raw().all()
  const content = {
    counters: recountedCounters(database),
    devices: all('SELECT device_id, labels, first_seen FROM devices ORDER BY id'),
    states: all('SELECT device, profile, last_seen FROM device_states ORDER BY device'),
    releases: all('SELECT * FROM releases ORDER BY id'),
    audit: all('SELECT at, actor_name, action, version FROM audit ORDER BY id'),
  }
  database.close()
  return content
}
