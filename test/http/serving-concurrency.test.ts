import { expect, test } from 'vitest'
import { auditOf, check, expectError, publish, serve, shown } from '../support/fixtures.ts'
import { startWithApp, type TestServer } from '../support/server.ts'

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

/** Sends ramps and checks of many devices, all at once; answers the ramps and the offers. */
async function storm(server: TestServer, version: string, seed: number) {
  const random = numbers(seed)
  const ramps: Promise<Sent>[] = []
  const checks: Promise<boolean>[] = []
  for (let step = 0; step < 24; step++) {
    const rolloutPct = random.next().value % 101
    ramps.push(
      serve(server, version, { rolloutPct }).then(({ status }) => ({ rolloutPct, status })),
    )
    const device = `device-${random.next().value}`
    checks.push(check(server, '0.9.0', { device }).then(({ status }) => status === 200))
  }
  return { ramps: await Promise.all(ramps), offers: (await Promise.all(checks)).filter(Boolean) }
}

test('however ramps and checks race, the percentage never goes down after the first offer', async () => {
  const server = await startWithApp()
  const channel = server.catalog.snapshot.appByName.get('editor')?.channels.get('stable')
  for (let round = 1; round <= ROUNDS; round++) {
    const version = `1.0.${round}`
    await publish(server, version, { rolloutPct: 0 })
    const { ramps, offers } = await storm(server, version, round)
    const release = await shown(server, version)
    expect(new Set(ramps.map(({ status }) => status)).difference(new Set([200, 422]))).toEqual(
      new Set(),
    )

    const changes = (await auditOf(server, 'release.serving_changed'))
      .filter((entry) => entry.version === version)
      .map(({ before, after }) => ({ before, after }) as { before: Pct; after: Pct })
    // Each change starts from the result of the one before it: none was lost.
    const path = [0, ...changes.map(({ after }) => after.rolloutPct)]
    expect(changes.map(({ before }) => before.rolloutPct)).toEqual(path.slice(0, -1))
    expect(release.rolloutPct).toBe(path.at(-1))
    // A refused decrease proves an offer, which the release then shows.
    expect(release.offered).toBe(offers.length > 0)
    const refused = ramps.filter(({ status }) => status === 422)
    if (refused.length > 0) expect(release.offered).toBe(true)

    const stored = await server.catalog.store.release(channel?.record.key ?? 0, version)
    expect(stored).toMatchObject({ offered: release.offered, rolloutPct: release.rolloutPct })
    await serve(server, version, { status: 'rolled_back' })
  }
})

interface Pct {
  readonly rolloutPct: number
}

test('every device that was offered a release is still in its cohort after a storm of ramps', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 30 })
  const random = numbers(7)
  const offered: string[] = []
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      if (index % 2 === 0) {
        await serve(server, '1.0.0', { rolloutPct: random.next().value % 101 })
        return
      }
      const device = `device-${index}`
      if ((await check(server, '0.9.0', { device })).status === 200) offered.push(device)
    }),
  )
  expect(offered.length).toBeGreaterThan(0)
  for (const device of offered) {
    expect((await check(server, '0.9.0', { device })).status).toBe(200)
  }
})

test('of roll back and resume at once, rolled_back stays', async () => {
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
