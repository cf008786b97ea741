import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { broadens, type Serving } from '../../../../src/server/rules/decision/broadening.ts'
import { decide } from '../../../../src/server/rules/decision/decide.ts'
import type { DeviceFacts } from '../../../../src/server/rules/decision/device.ts'
import type { Targets } from '../../../../src/shared/releases/targets.ts'
import {
  device as anyDevice,
  targets as anyTargets,
} from '../../../support/builders/arbitraries.ts'
import {
  artifactFor,
  channelOf,
  releaseOf,
  targetsOf,
} from '../../../support/builders/decision-facts.ts'

const anyStatus = fc.constantFrom('published', 'paused', 'rolled_back')
const anyServing: fc.Arbitrary<Serving> = fc.record({
  targets: anyTargets,
  rolloutPct: fc.constantFrom(0, 1, 50, 99, 100),
  status: anyStatus,
})

/** Targets that are close to others: parts dropped, and parts of other targets added. */
const anyChange = fc
  .record({ before: anyServing, other: anyServing, seed: fc.nat({ max: 7 }) })
  .chain(({ before, other, seed }) => {
    const labels = Object.entries({ ...before.targets.matchLabels, ...other.targets.matchLabels })
    const expressions = [...before.targets.matchExpressions, ...other.targets.matchExpressions]
    const mixed = fc.record({
      matchLabels: fc.subarray(labels).map((entries) => Object.fromEntries(entries)),
      matchExpressions: fc.subarray(expressions),
    })
    return mixed.map((targets) => ({
      before,
      after: {
        targets: seed & 1 ? targets : before.targets,
        rolloutPct: seed & 2 ? other.rolloutPct : before.rolloutPct,
        status: seed & 4 ? other.status : before.status,
      },
    }))
  })

/** The releases below and above stay as they are. */
const files = ['darwin', 'windows', 'linux'].map((platform) => artifactFor(platform, 'universal'))
const others = ['0.5.0', '9.0.0'].map((version) => releaseOf(version, { artifacts: files }))

function isOffered(serving: Serving | null, device: DeviceFacts): boolean {
  const release = serving && releaseOf('7.0.0', { artifacts: files, ...serving })
  const [low] = others
  if (release === null || low === undefined) return false
  return decide(channelOf([low, release]), device).release?.facts.id === release.id
}

const devices = fc.array(anyDevice, { minLength: 1, maxLength: 20 })

describe('a change broadens', () => {
  test('if any device is offered the release after it and was not before', () => {
    let gained = 0
    fc.assert(
      fc.property(anyChange, devices, ({ before, after }, fleet) => {
        const gains = fleet.some((one) => !isOffered(before, one) && isOffered(after, one))
        if (!gains) return
        gained += 1
        expect(broadens(before, after)).toBe(true)
      }),
      { numRuns: 1_500 },
    )
    expect(gained).toBeGreaterThan(20)
  })

  test('if a release is published that any device is offered', () => {
    fc.assert(
      fc.property(anyServing, devices, (serving, fleet) => {
        const after = { ...serving, status: 'published' } as const
        if (fleet.some((one) => isOffered(after, one))) expect(broadens(null, after)).toBe(true)
      }),
    )
    expect(broadens(null, { targets: targetsOf({}), rolloutPct: 0, status: 'published' })).toBe(
      false,
    )
  })
})

describe('a change does not broaden', () => {
  const allowed = fc.constantFrom<(serving: Serving) => Serving>(
    (serving) => serving,
    (serving) => ({ ...serving, rolloutPct: Math.floor(serving.rolloutPct / 2) }),
    (serving) => ({
      ...serving,
      status: serving.status === 'published' ? 'paused' : serving.status,
    }),
    (serving) => ({ ...serving, targets: withMore(serving.targets) }),
    (serving) => ({ ...serving, targets: withFewerValues(serving.targets) }),
  )

  test('if it only pauses, lowers the rollout or narrows the targets', () => {
    fc.assert(
      fc.property(anyServing, fc.array(allowed, { maxLength: 3 }), (before, changes) => {
        const after = changes.reduce((serving, change) => change(serving), before)
        expect(broadens(before, after)).toBe(false)
      }),
    )
  })

  test('if it rolls back, whatever else it changes', () => {
    fc.assert(
      fc.property(anyServing, anyServing, (before, after) => {
        expect(broadens(before, { ...after, status: 'rolled_back' })).toBe(false)
      }),
    )
  })
})

test.each([
  [
    'raises the rollout of a paused release',
    { status: 'paused' },
    { status: 'paused', rolloutPct: 60 },
  ],
  ['resumes', { status: 'paused' }, {}],
  ['drops a label', { targets: { matchLabels: { ring: 'beta' } } }, {}],
  [
    'adds a value',
    { targets: { matchLabels: { ring: 'beta' } } },
    { targets: { matchLabels: { ring: ['beta', 'eu'] } } },
  ],
  [
    'drops an excluded value',
    { targets: { matchExpressions: [{ key: 'ring', operator: 'NotIn', values: ['a', 'b'] }] } },
    { targets: { matchExpressions: [{ key: 'ring', operator: 'NotIn', values: ['a'] }] } },
  ],
])('a change that %s broadens', (_, before, after) => {
  expect(broadens(serving(before), serving(after))).toBe(true)
  expect(broadens(serving(after), serving(before))).toBe(false)
})

function serving({
  targets = {},
  ...rest
}: {
  targets?: object
  status?: string
  rolloutPct?: number
}) {
  const base = { rolloutPct: 50, status: 'published' }
  const { status, rolloutPct } = { ...base, ...rest }
  return {
    rolloutPct,
    targets: targetsOf(targets),
    status: status === 'paused' ? 'paused' : 'published',
  } as const
}

function withMore(targets: Targets): Targets {
  const exists = { key: 'unheard', operator: 'Exists' } as const
  return { ...targets, matchExpressions: [...targets.matchExpressions, exists] }
}

function withFewerValues({ matchLabels, matchExpressions }: Targets): Targets {
  const first = Object.entries(matchLabels).map(([key, values]) => [key, [values].flat()[0] ?? ''])
  return { matchLabels: Object.fromEntries(first), matchExpressions }
}
