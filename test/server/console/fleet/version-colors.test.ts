import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DISTINCT_IN_CHANNEL,
  type Publication,
  versionColors,
} from '../../../../src/server/console/fleet/fleet.ts'
import { VERSION_COLORS } from '../../../../src/shared/console/fleet.ts'
import { publish } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'

/** Publishes one after the other, each a minute after the one before. */
const inTurn = (...places: (readonly [channel: string, version: string])[]): Publication[] =>
  places.map(([channel, version], minute) => ({
    channel,
    version,
    at: new Date(Date.UTC(2026, 2, 14) + minute * 60_000).toISOString(),
  }))

const minor = (n: number) => `1.${n}.0`

/** Each version at most once in a channel, on three channels. */
const HISTORIES = fc
  .uniqueArray(fc.tuple(fc.constantFrom('stable', 'beta', 'alpha'), fc.nat(40)), {
    selector: ([channel, n]) => `${channel} ${n}`,
    maxLength: 80,
  })
  .map((places) => inTurn(...places.map(([channel, n]) => [channel, minor(n)] as const)))

describe('the colors of versions', () => {
  test('as many releases of one channel differ as there are colors', () => {
    const history = inTurn(...Array.from({ length: 35 }, (_, n) => ['stable', minor(n)] as const))
    const colors = [...versionColors(history).values()]
    for (let start = 0; start + VERSION_COLORS <= colors.length; start++) {
      expect(new Set(colors.slice(start, start + VERSION_COLORS)).size).toBe(VERSION_COLORS)
    }
  })

  test('the latest releases of each of three channels differ, after every publication', () => {
    fc.assert(
      fc.property(HISTORIES, (history) => {
        const colors = versionColors(history)
        for (const releases of Map.groupBy(history, ({ channel }) => channel).values()) {
          const latest = releases.slice(-DISTINCT_IN_CHANNEL).map(({ version }) => version)
          expect(new Set(latest.map((version) => colors.get(version))).size).toBe(latest.length)
        }
      }),
    )
  })

  test('a new release changes the color of no other version', () => {
    fc.assert(
      fc.property(HISTORIES, (history) => {
        const last = history.at(-1)
        if (last === undefined) return
        const [before, after] = [versionColors(history.slice(0, -1)), versionColors(history)]
        for (const [version, color] of before) {
          if (version !== last.version) expect(after.get(version)).toBe(color)
        }
      }),
    )
  })

  test('a version keeps its color on the way from beta to stable', () => {
    const beta = [3, 4, 5].map((n) => ['beta', minor(n)] as const)
    const first = versionColors(inTurn(['stable', minor(2)], ...beta)).get(minor(4))
    const promoted = inTurn(['stable', minor(2)], ...beta, ['stable', minor(4)])
    expect(versionColors(promoted).get(minor(4))).toBe(first)
  })

  test('they depend on the order of publishing, not on the order of the list', () => {
    fc.assert(
      fc.property(HISTORIES, (history) => {
        const colors = versionColors(history)
        for (const [version, color] of versionColors(history.toReversed())) {
          expect(colors.get(version)).toBe(color)
        }
      }),
    )
  })

  test('the console returns them for one app, and rejects an unknown one', async () => {
    const { server, console } = await startConsole()
    for (const version of ['1.9.0', '2.0.0', '1.9.1', '2.1.0']) await publish(server, version)
    const colors = await console.fleet.colors({ app: 'editor' })
    expect(Object.keys(colors).toSorted()).toEqual(['1.9.0', '1.9.1', '2.0.0', '2.1.0'])
    expect(new Set(Object.values(colors)).size).toBe(4)
    const failure = await failureOf(console.fleet.colors({ app: 'viewer' }))
    expect(failure.code).toBe('unknown')
  })
})
