// @module-tag long

import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allFiles } from '../../src/demo/artifact-files.ts'
import { DemoClock } from '../../src/demo/clock.ts'
import { startDemoServer } from '../../src/demo/folder.ts'
import { LIVE_HOURS, liveHours, type PlanEvent } from '../../src/demo/live-hours.ts'
import type { RunningServer } from '../../src/server/compose/running-server.ts'
import { FAILURES } from '../../src/shared/health/health.ts'
import { liveDemo, makeSmallDemo } from '../support/builders/demo-folder.ts'
import { fileFolder, temporaryFolder } from '../support/builders/folders.ts'
import { HOUR } from '../support/builders/time.ts'
import { callerOf } from '../support/servers/console.ts'

const GOOD = { app: 'sift', channel: 'stable', version: '1.2.0' }
const BAD = { app: 'parley', channel: 'stable', version: '4.4.3' }
const END = Date.UTC(2026, 9, 14, 15, 26)

const events: PlanEvent[] = []
let server: RunningServer

beforeAll(async () => {
  const options = { devices: 1_500, days: 7, end: END }
  server = await liveDemo(fileFolder(), options, (event) => events.push(event))
})
afterAll(() => server?.stop())

const eventsOf = (version: string) =>
  events
    .filter((event) => event.version === version)
    .map(({ state }) => `${state.status} ${state.step}`)

const logOf = (version: string) =>
  server.consoleContext.catalog.store
    .audit({ limit: 1_000 })
    .then((entries) => entries.filter((entry) => entry.version === version).reverse())

test('the good release reaches all devices step by step', async () => {
  expect(eventsOf(GOOD.version)).toEqual([
    'running 1',
    'running 2',
    'running 3',
    'running 4',
    'finished 4',
  ])
  const log = await logOf(GOOD.version)
  const applied = log.filter(({ action }) => action === 'release.plan_step_applied')
  expect(applied.map(({ actor }) => actor.kind)).toEqual(['server', 'server', 'server', 'server'])
  const { release } = await callerOf(server).releases.get(GOOD)
  expect(release).toMatchObject({ status: 'published', rolloutPct: 100 })
})

test('the server stops the bad release in its first step, and the overview says why', async () => {
  expect(eventsOf(BAD.version)).toEqual(['running 1', 'stopped 1'])
  const log = await logOf(BAD.version)
  expect(log.at(-1)).toMatchObject({ action: 'release.plan_stopped', actor: { kind: 'server' } })
  const { attention } = await callerOf(server).overview.get()
  const [failing] = attention.failing
  expect(failing).toMatchObject({ ...BAD, status: 'paused' })
  const reasons = failing?.reasons.map(({ code }) => code)
  expect(reasons).toContain('too_many_failures')
  // Which devices are in the first step differs from run to run, and so does how they fail.
  const { health } = failing ?? {}
  expect(health?.reported).toBeGreaterThan(0)
  expect(
    FAILURES.reduce((sum, failure) => sum + (health?.[failure] ?? 0), 0),
  ).toBeGreaterThanOrEqual(5)
})

test('another plan goes on after the hours', () => {
  expect(eventsOf('2.2.0-beta.1')).toEqual(['running 1'])
})

test('every release has its files', () => {
  const channels = [...server.consoleContext.catalog.snapshot.channelByKey.values()]
  const artifacts = channels
    .flatMap(({ compiled }) => compiled.releases)
    .flatMap(({ facts }) => facts.artifacts)
  expect(artifacts.length).toBe(allFiles().size)
})

test('the clock of the server ends at the time of the computer', () => {
  const before = Date.now()
  expect(server.consoleContext.catalog.now()).toBeGreaterThanOrEqual(before)
})

test('time passes no faster than the speed, and the hours end on request', async () => {
  const folder = temporaryFolder()
  const made = await makeSmallDemo(folder, { end: Date.now() - LIVE_HOURS * HOUR })
  const clock = new DemoClock(made.end)
  const waiting = await startDemoServer({ dataFolder: folder, port: 0 }, clock)
  const stop = new AbortController()
  const lived = liveHours(waiting, {
    ...{ made, clock, downloads: 'https://downloads.example' },
    // The first device of the hours would come in hours.
    ...{ speed: 1e-3, signal: stop.signal },
  })
  const ended = expect(lived).rejects.toThrow('enough')
  await turn()
  expect(clock.now()).toBe(made.end)
  stop.abort(new Error('enough'))
  await ended
  await waiting.stop()
})
