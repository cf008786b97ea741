import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needsLabels } from '../../../../src/server/rules/decision/candidates.ts'
import { compileChannel } from '../../../../src/server/rules/decision/compile.ts'
import { decide } from '../../../../src/server/rules/decision/decide.ts'
import { parseVersion } from '../../../../src/server/rules/decision/version.ts'
import { DEFAULT_POLICY, NO_EARLY_ACCESS } from '../../../../src/shared/releases/channel.ts'
import { device as anyDevice, earlyAccess } from '../../../support/builders/arbitraries.ts'
import {
  artifactFor,
  channelOf,
  deviceOn,
  releaseOf,
  targetsOf,
} from '../../../support/builders/decision-facts.ts'

describe('a compiled channel', () => {
  test('holds every release, lowest version first, and the published ones apart', () => {
    const channel = channelOf([
      releaseOf('1.10.0'),
      releaseOf('1.2.0+2', { status: 'paused' }),
      releaseOf('1.2.0+10', { status: 'rolled_back' }),
      releaseOf('1.9.0'),
    ])
    const versions = channel.releases.map(({ version }) => version.text)
    expect(versions).toEqual(['1.2.0+2', '1.2.0+10', '1.9.0', '1.10.0'])
    expect(channel.published.map(({ version }) => version.text)).toEqual(['1.9.0', '1.10.0'])
    expect([...channel.rolledBack]).toEqual(['1.2.0+10'])
  })

  test('takes over releases whose facts are the same object, and compiles the others again', () => {
    const kept = releaseOf('1.0.0')
    const before = releaseOf('2.0.0')
    const first = compileChannel(DEFAULT_POLICY, [kept, before])
    const second = compileChannel(DEFAULT_POLICY, [{ ...before, rolloutPct: 5 }, kept], first)
    expect(second.releases[0]).toBe(first.releases[0])
    expect(second.releases[1]).not.toBe(first.releases[1])
    expect(second.releases[1]?.facts.rolloutPct).toBe(5)
    expect(second.releases).toHaveLength(2)
  })

  test('rejects unvalidated targets', () => {
    expect(() => channelOf([releaseOf('1.0')])).toThrow(RangeError)
  })
})

describe('whether labels are needed', () => {
  const onRing = { targets: targetsOf({ matchLabels: { ring: 'beta' } }) }

  test('depends only on the candidates of the device', () => {
    const channel = channelOf([releaseOf('1.0.0'), releaseOf('2.0.0', onRing), releaseOf('3.0.0')])
    expect(needsLabels(channel, parseVersion('0.9.0'))).toBe(true)
    expect(needsLabels(channel, parseVersion('1.0.0'))).toBe(true)
    expect(needsLabels(channel, parseVersion('2.0.0'))).toBe(false)
    expect(needsLabels(channel, parseVersion('3.0.0'))).toBe(false)
  })

  test('does not count releases that are not published', () => {
    const channel = channelOf([releaseOf('2.0.0', { ...onRing, status: 'paused' })])
    expect(needsLabels(channel, parseVersion('1.0.0'))).toBe(false)
  })

  test('looks below a rolled-back version', () => {
    const releases = [
      releaseOf('1.0.0', onRing),
      releaseOf('2.0.0', { status: 'rolled_back' }),
      releaseOf('3.0.0'),
    ]
    expect(needsLabels(channelOf(releases), parseVersion('2.0.0'))).toBe(true)
    expect(needsLabels(channelOf(releases), parseVersion('2.0.1'))).toBe(false)
  })

  test('is denied only if labels change no decision', () => {
    const version = fc.constantFrom('0.0.0', '0.1.0', '1.0.0', '1.1.0', '2.0.0', '2.2.0')
    const release = fc
      .record({
        version,
        status: fc.constantFrom('published', 'paused', 'rolled_back'),
        rolloutPct: fc.constantFrom(0, 50, 100),
        targets: fc.constantFrom(onRing.targets, targetsOf({})),
        artifacts: fc.constantFrom('14.0', undefined, undefined).map((minimumSystemVersion) => {
          return [{ ...artifactFor('darwin', 'universal'), minimumSystemVersion }]
        }),
      })
      .map(({ version: text, ...change }) => releaseOf(text, change))
    const releases = fc.uniqueArray(release, { selector: (facts) => facts.version })
    const policy = fc.record({
      rollback: fc.constantFrom('downgrade' as const, 'roll-forward' as const),
      earlyAccess: fc.oneof(fc.constant(NO_EARLY_ACCESS), earlyAccess),
    })
    const labels = fc
      .tuple(anyDevice, fc.constantFrom({}, { os: '13.6' }))
      .map(([device, os]) => ({ ...device.labels, ...os }))
    fc.assert(
      fc.property(releases, policy, version, labels, (facts, policy, on, labels) => {
        const channel = channelOf(facts, policy)
        if (needsLabels(channel, parseVersion(on))) return
        const bare = decide(channel, deviceOn(on))
        expect(decide(channel, deviceOn(on, { labels }))).toEqual(bare)
      }),
    )
  })
})
