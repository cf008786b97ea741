import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Catalog } from '../../../../src/server/catalog/catalog.ts'
import { Refusal } from '../../../../src/server/catalog/errors.ts'
import { changeServing } from '../../../../src/server/catalog/releases/serving.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import {
  auditOf,
  check,
  expectError,
  publish,
  serve,
  shown,
} from '../../../support/servers/calls.ts'
import { openElsewhere, stableOf } from '../../../support/servers/catalog.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const ROUNDS = 6

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state >>> 8
  }
}

interface Sent {
  readonly rolloutPct: number
  readonly status: number
}

/** Another process on the same data: it ramps too, and now and then holds the write lock. */
async function rampElsewhere(catalog: Catalog, version: string, seed: number) {
  const random = numbers(seed)
  const sent: Sent[] = []
  for (let step = 0; step < 4; step++) {
    await catalog.refresh()
    const rolloutPct = random.next().value % 101
    const change = changeServing(catalog, ACTOR, stableOf(catalog), version, { rolloutPct })
    const status = await change.then(
      () => 200,
      (error: unknown) => (error instanceof Refusal && error.kind === 'invariant' ? 422 : 500),
    )
    sent.push({ rolloutPct, status })
    // Holds the write lock for so long.
    await catalog.store.transact(() => delay(5))
  }
  return sent
}

/** Callers that ramp and check in turn, all at once; answers the ramps and who was offered it. */
async function storm(server: TestServer, elsewhere: Catalog, version: string, seed: number) {
  const ramps: Sent[] = []
  const offered: string[] = []
  const caller = async (_: unknown, index: number) => {
    const random = numbers(seed * 100 + index)
    for (let step = 0; step < 4; step++) {
      const rolloutPct = random.next().value % 101
      const device = `device-${random.next().value}`
      const { status } = await serve(server, version, { rolloutPct })
      ramps.push({ rolloutPct, status })
      if ((await check(server, '0.9.0', { device })).status === 200) offered.push(device)
    }
  }
  const other = rampElsewhere(elsewhere, version, seed)
  await Promise.all(Array.from({ length: 6 }, caller))
  ramps.push(...(await other))
  return { ramps, offered }
}

test('however ramps and checks race, no percentage goes down after the first offer', async () => {
  const server = await startWithApp()
  const elsewhere = await openElsewhere(server.folder)
  let everOffered = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const version = `1.0.${round}`
    await publish(server, version, { rolloutPct: 0 })
    const { ramps, offered } = await storm(server, elsewhere, version, round)
    const release = await shown(server, version)

    const changes = (await auditOf(server, 'release.serving_changed'))
      .filter((entry) => entry.version === version)
      .map(({ before, after }) => ({ before, after }) as { before: Pct; after: Pct })
    // Each change starts from the result of the one before it: none was lost.
    const path = [0, ...changes.map(({ after }) => after.rolloutPct)]
    expect(changes.map(({ before }) => before.rolloutPct)).toEqual(path.slice(0, -1))
    expect(release.rolloutPct).toBe(path.at(-1))

    // A ramp passed or was refused as a step back, and only after an offer.
    const refused = ramps.filter(({ status }) => status !== 200)
    for (const { status, rolloutPct } of refused) {
      expect(status).toBe(422)
      expect(rolloutPct).toBeLessThan(release.rolloutPct)
      expect(offered).not.toEqual([])
    }
    expect(release.offered).toBe(offered.length > 0)
    // Who was offered it at any moment of the storm is in its cohort at the end.
    for (const device of offered) {
      expect((await check(server, '0.9.0', { device })).body?.version).toBe(version)
    }
    everOffered += offered.length
    await serve(server, version, { status: 'rolled_back' })
  }
  expect(everOffered).toBeGreaterThan(0)
})

interface Pct {
  readonly rolloutPct: number
}

test('a concurrent rollback and resume leave the release rolled back', async () => {
  const server = await startWithApp()
  for (let round = 0; round < ROUNDS; round++) {
    const version = `1.0.${round}`
    await publish(server, version)
    await serve(server, version, { status: 'paused' })
    const answers = await Promise.all(
      ['published', 'paused', 'rolled_back', 'published', 'paused', 'published'].map((status) =>
        serve(server, version, { status }),
      ),
    )
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 409)
    expect(await shown(server, version)).toMatchObject({ status: 'rolled_back' })
    expect((await check(server, '0.9.0', { device: `d${round}` })).status).toBe(204)
  }
})
