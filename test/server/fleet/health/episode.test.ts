import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ADOPTED,
  advance,
  type Episode,
  NO_EPISODE,
  REPORTED,
  REVERTED,
  type Sighting,
  STUCK,
  WAITING,
} from '../../../../src/server/fleet/health/episode.ts'
import { episodesOf, type Visit } from '../../../support/check-in-log/visits.ts'

const HOUR = 3_600
const NOTHING: Sighting = {
  ...{ at: 0, moved: null, offered: 0 },
  ...{ isSentBack: false, isRolledBack: false, outcome: null },
}

/** The episode after each of the sightings, the first of which offers release 1. */
function offeredThen(...sightings: Partial<Sighting>[]): Episode {
  const all = [{ offered: 1 }, ...sightings]
  return all.reduce<Episode>(
    (episode, sighting) => advance(episode, { ...NOTHING, ...sighting }).after,
    NO_EPISODE,
  )
}

describe('a device that was offered a release', () => {
  test('waits until it is seen on it', () => {
    expect(offeredThen()).toEqual({ release: 1, phase: WAITING, offers: 1, offeredAt: 0 })
    expect(offeredThen({ offered: 1, at: HOUR })).toMatchObject({ phase: WAITING, offers: 2 })
    expect(offeredThen({ moved: 'on', at: HOUR })).toMatchObject({ release: 1, phase: ADOPTED })
  })

  test('is stuck at the third offer, a day after the first', () => {
    const again = (hours: number) => ({ offered: 1, at: hours * HOUR })
    expect(offeredThen(again(1), again(2), again(23))).toMatchObject({ phase: WAITING })
    expect(offeredThen(again(1), again(24))).toMatchObject({ phase: STUCK })
    expect(offeredThen(again(40))).toMatchObject({ phase: WAITING })
    // Without an offer, nothing shows that the update is still tried.
    expect(offeredThen(again(1), again(2), { at: 90 * HOUR })).toMatchObject({ phase: WAITING })
    expect(offeredThen(again(1), again(24), { moved: 'on' })).toMatchObject({ phase: ADOPTED })
  })

  test('has failed when it is below the release again, unless that was rolled back', () => {
    expect(offeredThen({ moved: 'on' }, { moved: 'fell' })).toMatchObject({ phase: REVERTED })
    expect(offeredThen({ moved: 'on' }, { moved: 'fell', isRolledBack: true })).toEqual(NO_EPISODE)
    expect(offeredThen({ moved: 'on' }, { isSentBack: true })).toEqual(NO_EPISODE)
    expect(offeredThen({ moved: 'on' }, { moved: 'fell' }, { moved: 'on' })).toMatchObject({
      phase: ADOPTED,
    })
  })

  test('has failed or adopted as soon as its app says so', () => {
    expect(offeredThen({ outcome: 'failed' })).toMatchObject({ phase: REPORTED })
    expect(offeredThen({ outcome: 'failed' }, { moved: 'on' })).toMatchObject({ phase: ADOPTED })
    expect(offeredThen({ outcome: 'ok' })).toMatchObject({ phase: ADOPTED })
    // A check by the process of before, which is offered the release once more.
    expect(offeredThen({ outcome: 'ok' }, { offered: 1 })).toMatchObject({ phase: ADOPTED })
    expect(offeredThen({ moved: 'on' }, { outcome: 'failed' })).toMatchObject({ phase: REPORTED })
  })

  test('leaves it for another release, another channel and a rollback', () => {
    expect(offeredThen({ offered: 2, at: 5 })).toMatchObject({
      release: 2,
      phase: WAITING,
      offeredAt: 5,
    })
    expect(offeredThen({ moved: 'elsewhere' })).toEqual(NO_EPISODE)
    expect(offeredThen({ isRolledBack: true })).toEqual(NO_EPISODE)
    // A failure stays, so that the reason for a rollback can still be seen after it.
    expect(offeredThen({ outcome: 'failed' }, { isRolledBack: true })).toMatchObject({
      phase: REPORTED,
    })
  })

  test('passes a release only if it had adopted it', () => {
    const next = { ...NOTHING, offered: 2 }
    expect(advance(offeredThen({ moved: 'on' }), next)).toMatchObject({ passed: true })
    expect(advance(offeredThen(), next)).toMatchObject({ passed: false, took: null })
    // Seen on it, and offered the next one at once.
    expect(advance(offeredThen(), { ...next, moved: 'on', at: 7 })).toMatchObject({
      ...{ passed: true, took: 7, after: { release: 2 } },
    })
  })
})

const visit = fc.record({
  wait: fc.oneof(fc.integer({ min: 60, max: HOUR }), fc.integer({ min: HOUR, max: 30 * HOUR })),
  version: fc.integer({ min: 1, max: 3 }),
  stays: fc.boolean(),
  offer: fc.constantFrom('none', 'next', 'newest', 'back'),
  outcome: fc.constantFrom(null, null, null, 'ok', 'failed'),
  rollBack: fc.constantFrom(0, 0, 0, 2, 3),
})

/** Random visits of one device to a channel with the releases 2 to 4. */
const visitsOf = fc.array(visit, { maxLength: 40 }).map((drawn) => {
  const rolledBack = new Set<number>()
  let [at, version] = [1_000, 1]
  return drawn.map((each): Visit => {
    at += each.wait
    if (!each.stays) version = each.version
    if (each.rollBack !== 0) rolledBack.add(each.rollBack)
    const isServed = (release: number) => release > version && !rolledBack.has(release)
    const served = [2, 3, 4].filter(isServed)
    const offered = each.offer === 'next' ? (served[0] ?? 0) : (served.at(-1) ?? 0)
    const isSentBack = each.offer === 'back'
    const isOffer = each.offer === 'next' || each.offer === 'newest'
    return {
      ...{ at, version, offered: isOffer ? offered : 0, isSentBack, isDecided: true },
      outcome: each.outcome,
      rolledBack: new Set(rolledBack),
    }
  })
})

/** How a version compares with a release, if it is another one than before. */
function moveOf(before: number, version: number, release: number): Sighting['moved'] {
  if (version === before) return null
  if (version >= release) return 'on'
  return before >= release ? 'fell' : null
}

/** The sightings that the visits of a device are. */
function sightingOf(last: Visit | undefined, visit: Visit, { release, phase }: Episode): Sighting {
  const { at, version, offered, isSentBack, outcome, rolledBack } = visit
  const moved = release === 0 ? null : moveOf(last?.version ?? 0, version, release)
  const concerns = phase === WAITING || (phase === ADOPTED && moved === 'fell')
  const isRolledBack = concerns && offered !== release && rolledBack.has(release)
  return { at, moved, offered, isSentBack, isRolledBack, outcome }
}

test('an episode is what a look at all visits shows', () => {
  fc.assert(
    fc.property(visitsOf, (visits) => {
      const found: Episode[] = []
      for (const [index, visit] of visits.entries()) {
        const before = found.at(-1) ?? NO_EPISODE
        found.push(advance(before, sightingOf(visits[index - 1], visit, before)).after)
      }
      expect(found).toEqual(episodesOf(visits))
    }),
    { numRuns: 500 },
  )
})
