import { expect, test } from 'vitest'
import { markOffered } from '../../src/server/catalog/offers.ts'
import { changeServing, type ServingChange } from '../../src/server/catalog/serving.ts'
import { ACTOR } from '../support/server.ts'
import { openTwo, publishOn, releaseOf, stableOf } from './helpers.ts'

test('an offer is stored, once, and seen by other processes', async () => {
  const { here, there } = await openTwo()
  const decided = await publishOn(here, '1.0.0')
  expect(await markOffered(here, decided)).toBe(true)
  expect(releaseOf(here, '1.0.0')?.offered).toBe(true)
  await there.refresh()
  expect(releaseOf(there, '1.0.0')?.offered).toBe(true)
  const { revision } = here.snapshot
  expect(await markOffered(here, decided)).toBe(true)
  expect(here.snapshot.revision).toBe(revision)
})

test('an offer that was decided on what another process has changed since is not made', async () => {
  const changes: ServingChange[] = [
    { rolloutPct: 10 },
    { status: 'paused' },
    { status: 'rolled_back' },
    { targets: { matchLabels: { ring: 'beta' }, matchExpressions: [] } },
  ]
  for (const change of changes) {
    const { here, there } = await openTwo()
    const decided = await publishOn(here, '1.0.0')
    await there.refresh()
    await changeServing(there, ACTOR, stableOf(there), '1.0.0', change)
    expect(await markOffered(here, decided)).toBe(false)
    // What the next decision is made on.
    expect(releaseOf(here, '1.0.0')).toMatchObject({ ...change, offered: false })
  }
})

test('a first offer and a lowered percentage cannot pass each other', async () => {
  for (let round = 0; round < 10; round++) {
    const { here, there } = await openTwo()
    const decided = await publishOn(here, '1.0.0')
    await there.refresh()
    const lower = () =>
      changeServing(there, ACTOR, stableOf(there), '1.0.0', { rolloutPct: 10 }).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'invariant' })
          return false
        },
      )
    const offer = () => markOffered(here, decided)
    const [first, second] = round % 2 === 0 ? [offer(), lower()] : [lower(), offer()]
    expect(await first).not.toBe(await second)
  }
})
