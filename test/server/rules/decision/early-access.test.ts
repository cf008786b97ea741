import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needsLabels } from '../../../../src/server/rules/decision/candidates.ts'
import type { ReleaseFacts } from '../../../../src/server/rules/decision/channel.ts'
import { type DeviceFacts, decide } from '../../../../src/server/rules/decision/decide.ts'
import { parseVersion } from '../../../../src/server/rules/decision/version.ts'
import type { CandidateTrace } from '../../../../src/shared/devices/explanation.ts'
import {
  type ChannelPolicy,
  EarlyAccess,
  NO_EARLY_ACCESS,
} from '../../../../src/shared/releases/channel.ts'
import { device as anyDevice, earlyAccess } from '../../../support/builders/arbitraries.ts'
import {
  artifactFor,
  channelOf,
  deviceOn,
  releaseOf,
  targetsOf,
} from '../../../support/builders/decision-facts.ts'

const RING = targetsOf({ matchLabels: { ring: 'beta' } })
const LISTED = { earlyAccess: { deviceIds: ['device-1'], targets: [] } }
const BY_RING = { earlyAccess: { deviceIds: [], targets: [RING] } }
const PLATFORMS = ['darwin', 'linux', 'windows'].map((name) => artifactFor(name, 'any'))

/** Whether a device on 0.0.0 is offered 9.0.0, the only release. */
function isOffered(
  policy: Partial<ChannelPolicy>,
  release: Partial<ReleaseFacts>,
  device: DeviceFacts,
): boolean {
  const channel = channelOf([releaseOf('9.0.0', { artifacts: PLATFORMS, ...release })], policy)
  return decide(channel, { ...device, version: parseVersion('0.0.0') }).release !== null
}

/** A list, and a device that is on it. */
const listed = fc
  .record({ list: earlyAccess, device: anyDevice, percent: fc.integer({ min: 0, max: 100 }) })
  .map(({ list, device, percent }) => {
    const deviceIds = [...list.deviceIds, device.deviceId ?? 'a']
    const named = { ...device, deviceId: device.deviceId ?? 'a', manual: false, bundle: '' }
    return { policy: { earlyAccess: { ...list, deviceIds } }, device: named, percent }
  })

describe('a device with early access', () => {
  test('is in every rollout above 0%, and in none at 0%', () => {
    fc.assert(
      fc.property(listed, ({ policy, device, percent }) => {
        expect(isOffered(policy, { rolloutPct: percent }, device)).toBe(percent > 0)
      }),
    )
  })

  test('is not offered what is paused, rolled back or targets others', () => {
    fc.assert(
      fc.property(listed, ({ policy, device, percent }) => {
        const others = targetsOf({ matchLabels: { nobody: 'has-it' } })
        for (const held of [
          { status: 'paused' as const },
          { status: 'rolled_back' as const },
          { targets: others },
        ]) {
          expect(isOffered(policy, { rolloutPct: percent, ...held }, device)).toBe(false)
        }
      }),
    )
  })

  test.each([
    ['by its ID', LISTED, deviceOn('1.0.0')],
    ['by a label', BY_RING, deviceOn('1.0.0', { labels: { ring: 'beta' } })],
  ])('%s is the reason why it is in', (_how, policy, device) => {
    const trace: CandidateTrace[] = []
    const release = releaseOf('2.0.0', { rolloutPct: 1, id: 'high' })
    decide(channelOf([release], policy), device, trace)
    const rollout = { percent: 1, admission: 'early_access' }
    expect(trace).toMatchObject([{ outcome: 'offered', rollout }])
  })

  test('without a device ID has no early access, whatever its labels', () => {
    const anonymous = deviceOn('1.0.0', { deviceId: null, labels: { ring: 'beta' } })
    expect(isOffered(BY_RING, { rolloutPct: 99 }, anonymous)).toBe(false)
    expect(isOffered(BY_RING, { rolloutPct: 100 }, anonymous)).toBe(true)
  })

  test('by a label has no early access with another value', () => {
    const other = deviceOn('1.0.0', { labels: { ring: 'stable' } })
    expect(isOffered(BY_RING, { rolloutPct: 1 }, other)).toBe(false)
  })
})

test('whoever is in a rollout stays in as it grows, early access or not', () => {
  fc.assert(
    fc.property(earlyAccess, anyDevice, fc.boolean(), (list, device, manualChecks) => {
      const policy = { earlyAccess: list, manualChecks }
      const plain = { ...device, bundle: '' }
      const steps = [0, 1, 5, 25, 50, 99, 100]
      const offered = steps.map((rolloutPct) => isOffered(policy, { rolloutPct }, plain))
      expect(offered).toEqual([...offered].sort())
      expect([offered[0], offered.at(-1)]).toEqual([false, true])
    }),
  )
})

test('an early access list only adds devices to a rollout', () => {
  fc.assert(
    fc.property(earlyAccess, anyDevice, fc.nat({ max: 100 }), (list, device, rolloutPct) => {
      const plain = { ...device, bundle: '' }
      const [without, having] = [NO_EARLY_ACCESS, list].map((each) =>
        isOffered({ earlyAccess: each }, { rolloutPct }, plain),
      )
      expect(without && !having).toBe(false)
    }),
  )
})

describe('a manual check', () => {
  const asked = deviceOn('1.0.0', { deviceId: null, manual: true })
  const allowed = { manualChecks: true }

  test('is in every rollout above 0% where the channel allows it', () => {
    for (const rolloutPct of [0, 1, 50, 99, 100]) {
      expect(isOffered(allowed, { rolloutPct }, asked)).toBe(rolloutPct > 0)
      expect(isOffered({}, { rolloutPct }, asked)).toBe(rolloutPct === 100)
      expect(isOffered(allowed, { rolloutPct }, { ...asked, manual: false })).toBe(
        rolloutPct === 100,
      )
    }
  })

  test('skips neither targets nor a pause', () => {
    expect(isOffered(allowed, { rolloutPct: 50, targets: RING }, asked)).toBe(false)
    expect(isOffered(allowed, { rolloutPct: 50, status: 'paused' }, asked)).toBe(false)
  })

  test('is the reason only for a device whose bucket is not in', () => {
    const outcomes = ['early', 'late', 'other', 'more'].map((deviceId) => {
      const trace: CandidateTrace[] = []
      const channel = channelOf([releaseOf('2.0.0', { rolloutPct: 50 })], allowed)
      decide(channel, deviceOn('1.0.0', { deviceId, manual: true }), trace)
      const [entry] = trace
      if (entry?.outcome !== 'offered') throw new Error('not offered')
      const { bucket, admission } = entry.rollout
      return admission === ((bucket ?? 1) < 0.5 ? null : 'manual_check')
    })
    expect(outcomes).toEqual([true, true, true, true])
  })
})

describe('a device that has a staged release by early access or a manual check', () => {
  const staged = releaseOf('2.0.0', { rolloutPct: 1 })
  const on = deviceOn('2.0.0')

  test('keeps it when it loses that, and is up to date', () => {
    const channel = channelOf([releaseOf('1.0.0'), staged])
    expect(decide(channel, on)).toMatchObject({ reason: 'up_to_date' })
  })

  test('goes back when it is rolled back, like any other device', () => {
    const channel = channelOf([releaseOf('1.0.0'), { ...staged, status: 'rolled_back' }], LISTED)
    expect(decide(channel, on)).toMatchObject({ reason: 'rollback', allowDowngrade: true })
  })

  test('is in the rollout of the release below that it goes back to', () => {
    const below = releaseOf('1.0.0', { rolloutPct: 1 })
    const back = { ...staged, status: 'rolled_back' as const }
    expect(decide(channelOf([below, back], LISTED), on)).toMatchObject({ reason: 'rollback' })
    expect(decide(channelOf([below, back]), on)).toMatchObject({ reason: 'outside_cohort' })
  })
})

describe('labels are read', () => {
  const version = parseVersion('1.0.0')
  const at = (rolloutPct: number, policy: Partial<ChannelPolicy>) =>
    needsLabels(channelOf([releaseOf('2.0.0', { rolloutPct })], policy), version)

  test('for early access by label, while a release is between 0% and 100%', () => {
    expect([0, 1, 99, 100].map((percent) => at(percent, BY_RING))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('neither for early access by ID or platform, nor without any', () => {
    const mac = targetsOf({
      matchExpressions: [{ key: 'device.platform', operator: 'In', values: ['darwin'] }],
    })
    expect(at(50, LISTED)).toBe(false)
    expect(at(50, { earlyAccess: { deviceIds: [], targets: [mac] } })).toBe(false)
    expect(at(50, {})).toBe(false)
  })
})

describe('an early access list', () => {
  const issuesOf = (list: unknown) =>
    EarlyAccess.safeParse(list).error?.issues.map(({ path, message }) => [
      path.join('.'),
      message,
    ]) ?? []

  test('needs both members, and no targets without a condition', () => {
    expect(issuesOf({ deviceIds: [] })).toHaveLength(1)
    expect(issuesOf({ deviceIds: [], targets: [{}] })).toEqual([
      ['targets.0', 'must have a condition, or it would match all devices'],
    ])
  })

  test('is bounded, with the limits of targets for all of them together', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`)
    expect(issuesOf({ deviceIds: many(256), targets: [] })).toEqual([])
    expect(issuesOf({ deviceIds: many(257), targets: [] })).toHaveLength(1)
    const ring = (values: string[]) => ({ matchLabels: { ring: values } })
    expect(issuesOf({ deviceIds: [], targets: many(16).map((id) => ring([id])) })).toEqual([])
    expect(issuesOf({ deviceIds: [], targets: many(17).map((id) => ring([id])) })).toHaveLength(1)
    const five = Array.from({ length: 5 }, () => ring(many(250)))
    expect(issuesOf({ deviceIds: [], targets: five })).toEqual([
      ['targets', 'must hold at most 1024 values in total'],
    ])
  })
})
