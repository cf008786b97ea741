import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../../../src/server/catalog/apps.ts'
import type { Catalog } from '../../../../src/server/catalog/catalog.ts'
import { Unavailable } from '../../../../src/server/catalog/errors.ts'
import type { ReleaseRecord } from '../../../../src/server/catalog/records.ts'
import {
  changeServing,
  type ServingChange,
} from '../../../../src/server/catalog/releases/serving.ts'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { Offers, type OffersOptions } from '../../../../src/server/use-cases/fleet/offers.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import {
  openCatalog,
  openTwo,
  publishOn,
  releaseOf,
  stableOf,
} from '../../../support/servers/catalog.ts'

/** Offers a release to everyone while it is served to everyone, by the present snapshot. */
function offerOn(catalog: Catalog, version = '1.0.0') {
  return () => {
    const release = releaseOf(catalog, version)
    return { channel: stableOf(catalog), offered: isForAll(release) ? [release] : [] }
  }
}

function isForAll(release: ReleaseRecord | undefined): release is ReleaseRecord {
  if (release?.status !== 'published' || release.rolloutPct !== 100) return false
  return Object.keys(release.targets.matchLabels).length === 0
}

/** A published release, on a catalog whose database another connection can lock. */
async function lockable(options: OffersOptions = {}) {
  const folder = preparedFolder()
  const { catalog } = await openCatalog(folder)
  await createApp(catalog, ACTOR, { ref: 'editor' })
  await publishOn(catalog, '1.0.0')
  const holder = openDatabase(dataFile(folder))
  onTestFinished(() => {
    holder.close()
  })
  return { catalog, offers: new Offers(catalog, options), holder }
}

test('an offer is stored, once, and seen by other processes', async () => {
  const { here, there } = await openTwo()
  await publishOn(here, '1.0.0')
  const offers = new Offers(here)
  expect((await offers.settle(offerOn(here))).offered).toMatchObject([{ offered: true }])
  await there.refresh()
  expect(releaseOf(there, '1.0.0')?.offered).toBe(true)
  const { revision } = here.snapshot
  await offers.settle(offerOn(here))
  expect(here.snapshot.revision).toBe(revision)
})

test('an offer that is outdated by another process is not made', async () => {
  const changes: ServingChange[] = [
    { rolloutPct: 10 },
    { status: 'paused' },
    { status: 'rolled_back' },
    { targets: { matchLabels: { ring: 'beta' }, matchExpressions: [] } },
  ]
  for (const change of changes) {
    const { here, there } = await openTwo()
    await publishOn(here, '1.0.0')
    await there.refresh()
    await changeServing(there, ACTOR, stableOf(there), '1.0.0', change)
    // Decided again, by what the other process made of the release.
    expect((await new Offers(here).settle(offerOn(here))).offered).toEqual([])
    expect(releaseOf(here, '1.0.0')).toMatchObject({ ...change, offered: false })
  }
})

test('a first offer and a lowered percentage cannot pass each other', async () => {
  for (let round = 0; round < 10; round++) {
    const { here, there } = await openTwo()
    await publishOn(here, '1.0.0')
    await there.refresh()
    const lower = () =>
      changeServing(there, ACTOR, stableOf(there), '1.0.0', { rolloutPct: 10 }).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ facts: { code: 'rollout_lowered' } })
          return false
        },
      )
    const offer = async () => (await new Offers(here).settle(offerOn(here))).offered.length > 0
    const [first, second] = round % 2 === 0 ? [offer(), lower()] : [lower(), offer()]
    expect(await first).not.toBe(await second)
  }
})

test('first offers at the same time share one write, each release its own', async () => {
  const { here } = await openTwo()
  await publishOn(here, '1.0.0')
  await publishOn(here, '2.0.0')
  const offerFirst = vi.spyOn(here.store, 'offerFirst')
  const offers = new Offers(here)
  const plans = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      offers.settle(offerOn(here, index % 2 === 0 ? '1.0.0' : '2.0.0')),
    ),
  )
  for (const { offered } of plans) expect(offered).toMatchObject([{ offered: true }])
  expect(offerFirst).toHaveBeenCalledTimes(2)
})

test('while another process holds the database, all give up together, and then it works', async () => {
  const onFailure = vi.fn()
  const { catalog, offers, holder } = await lockable({ within: 100, onFailure })
  holder.exec('BEGIN IMMEDIATE')
  const waiting = Array.from({ length: 50 }, () => offers.settle(offerOn(catalog)))
  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) })
  }
  // Told once, with its cause, however many waited.
  await eventually(() => expect(onFailure).toHaveBeenCalledOnce())
  expect(onFailure.mock.calls[0]?.[0]).toMatchObject({ cause: { code: 'busy' } })
  expect(releaseOf(catalog, '1.0.0')?.offered).toBe(false)
  holder.exec('COMMIT')
  // A patient one, for a machine that is busy.
  const { offered } = await new Offers(catalog).settle(offerOn(catalog))
  expect(offered).toMatchObject([{ offered: true }])
})

test('at most a thousand wait: further ones are rejected immediately', async () => {
  const { catalog, offers, holder } = await lockable()
  holder.exec('BEGIN IMMEDIATE')
  const waiting = Array.from({ length: 1_000 }, () => offers.settle(offerOn(catalog)))
  await expect(offers.settle(offerOn(catalog))).rejects.toBeInstanceOf(Unavailable)
  holder.exec('COMMIT')
  for (const { offered } of await Promise.all(waiting)) {
    expect(offered).toMatchObject([{ offered: true }])
  }
})

test('a decision is repeated if its channel has changed meanwhile', async () => {
  const { here } = await openTwo()
  await publishOn(here, '1.0.0')
  const offers = new Offers(here)
  await offers.settle(offerOn(here))
  let rounds = 0
  const plan = await offers.settle(async () => {
    rounds++
    const plan = offerOn(here)()
    if (rounds === 1) {
      await changeServing(here, ACTOR, stableOf(here), '1.0.0', { status: 'rolled_back' })
    }
    return plan
  })
  expect(plan.offered).toEqual([])
  expect(rounds).toBe(2)
})
