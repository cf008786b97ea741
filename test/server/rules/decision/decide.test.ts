import { describe, expect, test } from 'vitest'
import type { CompiledChannel } from '../../../../src/server/rules/decision/channel.ts'
import { cohortBucket } from '../../../../src/server/rules/decision/cohort.ts'
import { type DeviceFacts, decide } from '../../../../src/server/rules/decision/decide.ts'
import type { CandidateTrace } from '../../../../src/shared/devices/explanation.ts'
import {
  artifactFor,
  channelOf,
  deviceOn,
  releaseOf,
  targetsOf,
} from '../../../support/builders/decision-facts.ts'

/** `update 2.0.0`, or the reason alone if nothing is offered. */
function outcome(channel: CompiledChannel, device: DeviceFacts): string {
  const { reason, release } = decide(channel, device)
  return release === null ? reason : `${reason} ${release.version.text}`
}

const beta = { targets: targetsOf({ matchLabels: { ring: 'beta' } }) }
const windowsOnly = { artifacts: [artifactFor('windows', 'x64')] }
const rolledBack = { status: 'rolled_back' } as const
const paused = { status: 'paused' } as const

describe('a device on an ordinary version', () => {
  const channel = channelOf([releaseOf('1.0.0'), releaseOf('2.0.0'), releaseOf('1.5.0')])

  test('is offered the newest published release above its own', () => {
    expect(outcome(channel, deviceOn('1.0.0'))).toBe('update 2.0.0')
    expect(decide(channel, deviceOn('1.0.0'))).toMatchObject({ allowDowngrade: false })
  })

  test('is up to date on the newest release, or above it', () => {
    expect(outcome(channel, deviceOn('2.0.0'))).toBe('up_to_date')
    expect(outcome(channel, deviceOn('3.0.0-rc.1'))).toBe('up_to_date')
  })

  test('need not run a version that the channel knows', () => {
    expect(outcome(channel, deviceOn('1.7.0'))).toBe('update 2.0.0')
  })

  test('moves from a pre-release to its release, and between builds of one version', () => {
    expect(outcome(channel, deviceOn('2.0.0-rc.1'))).toBe('update 2.0.0')
    const builds = channelOf([releaseOf('1.0.0+1'), releaseOf('1.0.0+2')])
    expect(outcome(builds, deviceOn('1.0.0+1'))).toBe('update 1.0.0+2')
    expect(outcome(builds, deviceOn('1.0.0+2'))).toBe('up_to_date')
  })

  test('gets no_release if the channel has no published release', () => {
    expect(outcome(channelOf([]), deviceOn('1.0.0'))).toBe('no_release')
    const releases = [releaseOf('2.0.0', paused), releaseOf('3.0.0', rolledBack)]
    expect(outcome(channelOf(releases), deviceOn('1.0.0'))).toBe('no_release')
  })

  test('is not offered a paused or rolled-back release, but the one below', () => {
    const releases = [
      releaseOf('2.0.0'),
      releaseOf('3.0.0', paused),
      releaseOf('4.0.0', rolledBack),
    ]
    expect(outcome(channelOf(releases), deviceOn('1.0.0'))).toBe('update 2.0.0')
    expect(outcome(channelOf(releases), deviceOn('2.0.0'))).toBe('up_to_date')
  })

  test('keeps a paused version: pausing does not downgrade', () => {
    const channelWithPaused = channelOf([releaseOf('1.0.0'), releaseOf('2.0.0', paused)])
    expect(outcome(channelWithPaused, deviceOn('2.0.0'))).toBe('up_to_date')
  })

  test.each([
    ['no_artifact', windowsOnly],
    ['not_targeted', beta],
    ['outside_cohort', { rolloutPct: 0 }],
  ])('falls through a release that answers %s', (reason, change) => {
    const releases = [releaseOf('1.0.0'), releaseOf('2.0.0'), releaseOf('3.0.0', change)]
    expect(outcome(channelOf(releases), deviceOn('1.0.0'))).toBe('update 2.0.0')
    expect(outcome(channelOf(releases), deviceOn('2.0.0'))).toBe(reason)
  })

  test('takes the reason of the latest candidate if several skip it', () => {
    const releases = [
      releaseOf('2.0.0', { rolloutPct: 0 }),
      releaseOf('3.0.0', windowsOnly),
      releaseOf('4.0.0', beta),
    ]
    expect(outcome(channelOf(releases), deviceOn('1.0.0'))).toBe('not_targeted')
  })

  test('is tested for artifact, then targets, then cohort', () => {
    const all = { ...windowsOnly, ...beta, rolloutPct: 0 }
    const on = deviceOn('1.0.0')
    expect(outcome(channelOf([releaseOf('2.0.0', all)]), on)).toBe('no_artifact')
    const twoFail = { ...beta, rolloutPct: 0 }
    expect(outcome(channelOf([releaseOf('2.0.0', twoFail)]), on)).toBe('not_targeted')
  })

  test('is never offered a release without artifacts', () => {
    expect(outcome(channelOf([releaseOf('2.0.0', { artifacts: [] })]), deviceOn('1.0.0'))).toBe(
      'no_artifact',
    )
  })

  test('gets the artifact of its own arch before a universal one', () => {
    const artifacts = [artifactFor('macos', 'universal'), artifactFor('macos', 'arm64')]
    const both = channelOf([releaseOf('2.0.0', { artifacts })])
    expect(decide(both, deviceOn('1.0.0'))).toMatchObject({ artifact: artifacts[1] })
    const intel = deviceOn('1.0.0', { platform: 'osx', arch: 'amd64' })
    expect(decide(both, intel)).toMatchObject({ artifact: artifacts[0] })
  })

  test('without an id takes part in a rollout only at 100', () => {
    const at = (rolloutPct: number) => channelOf([releaseOf('2.0.0', { rolloutPct })])
    const anonymous = deviceOn('1.0.0', { deviceId: null })
    expect(outcome(at(99), anonymous)).toBe('outside_cohort')
    expect(outcome(at(100), anonymous)).toBe('update 2.0.0')
  })

  test('is fetched by a rollout as it grows, and held by the release below until then', () => {
    const bucket = cohortBucket('release-3.0.0', 'device-1')
    for (let rolloutPct = 0; rolloutPct <= 100; rolloutPct += 1) {
      const growing = channelOf([releaseOf('2.0.0'), releaseOf('3.0.0', { rolloutPct })])
      const expected = bucket < rolloutPct / 100 ? 'update 3.0.0' : 'update 2.0.0'
      expect(outcome(growing, deviceOn('1.0.0'))).toBe(expected)
    }
  })

  test('crosses a stepping stone that VersionIn on device.version makes', () => {
    const expression = { key: 'device.version', operator: 'VersionIn', values: ['>=2.0.0'] }
    const targets = targetsOf({ matchExpressions: [expression] })
    const stones = channelOf([releaseOf('2.0.0'), releaseOf('3.0.0', { targets })])
    expect(outcome(stones, deviceOn('1.0.0'))).toBe('update 2.0.0')
    expect(outcome(stones, deviceOn('2.0.0'))).toBe('update 3.0.0')
  })
})

describe('a device on a rolled-back version', () => {
  const releases = [
    releaseOf('1.0.0'),
    releaseOf('1.5.0'),
    releaseOf('2.0.0', rolledBack),
    releaseOf('3.0.0'),
  ]
  const forward = { rollback: 'roll-forward' } as const

  test('is sent to the newest published release below, with the downgrade allowed', () => {
    const decision = decide(channelOf(releases), deviceOn('v2.0.0'))
    expect(decision).toMatchObject({ reason: 'rollback', allowDowngrade: true })
    expect(decision.release?.version.text).toBe('1.5.0')
  })

  test('is downgraded past releases that it cannot have', () => {
    const withBeta = releases.with(1, releaseOf('1.5.0', beta))
    expect(outcome(channelOf(withBeta), deviceOn('2.0.0'))).toBe('rollback 1.0.0')
  })

  test('gets no_release if no version below is published', () => {
    const noneBelow = [releaseOf('1.0.0', paused), ...releases.slice(2)]
    expect(outcome(channelOf(noneBelow), deviceOn('2.0.0'))).toBe('no_release')
  })

  test('gets the reason of the latest version below if it can have none', () => {
    const noneFits = [
      releaseOf('1.0.0', windowsOnly),
      releaseOf('1.5.0', beta),
      ...releases.slice(2),
    ]
    expect(outcome(channelOf(noneFits), deviceOn('2.0.0'))).toBe('not_targeted')
  })

  test('is the same version only with the same build metadata', () => {
    expect(outcome(channelOf(releases), deviceOn('2.0.0+1'))).toBe('update 3.0.0')
  })

  test('goes forward first by the policy roll-forward, which is no downgrade', () => {
    const decision = decide(channelOf(releases, forward), deviceOn('2.0.0'))
    expect(decision).toMatchObject({ reason: 'update', allowDowngrade: false })
    expect(decision.release?.version.text).toBe('3.0.0')
  })

  test('goes back by the policy roll-forward if nothing above fits', () => {
    const nothingAbove = releases.with(3, releaseOf('3.0.0', { rolloutPct: 0 }))
    const decision = decide(channelOf(nothingAbove, forward), deviceOn('2.0.0'))
    expect(decision).toMatchObject({ reason: 'rollback', allowDowngrade: true })
    expect(decision.release?.version.text).toBe('1.5.0')
  })

  test('takes the reason of the newest candidate also by the policy roll-forward', () => {
    const noneFits = [
      releaseOf('1.0.0', windowsOnly),
      releaseOf('2.0.0', rolledBack),
      releaseOf('3.0.0', { rolloutPct: 0 }),
    ]
    expect(outcome(channelOf(noneFits, forward), deviceOn('2.0.0'))).toBe('outside_cohort')
    const nothing = channelOf([releaseOf('2.0.0', rolledBack)], forward)
    expect(outcome(nothing, deviceOn('2.0.0'))).toBe('no_release')
  })
})

describe('the trace of a decision', () => {
  test('has an entry for each candidate up to the offer, newest first', () => {
    const trace: CandidateTrace[] = []
    const releases = [
      releaseOf('1.0.0'),
      releaseOf('2.0.0'),
      releaseOf('3.0.0'),
      releaseOf('4.0.0', { rolloutPct: 1 }),
      releaseOf('5.0.0', beta),
      releaseOf('6.0.0', windowsOnly),
      releaseOf('7.0.0', paused),
    ]
    decide(channelOf(releases), deviceOn('1.0.0', { labels: { ring: 'stable' } }), trace)
    const bucket = cohortBucket('release-4.0.0', 'device-1')
    expect(trace).toEqual([
      {
        ...{ version: '6.0.0', outcome: 'no_artifact', platform: 'darwin', arch: 'aarch64' },
        ...{ bundle: '', kinds: [] },
      },
      {
        version: '5.0.0',
        outcome: 'not_targeted',
        condition: {
          code: 'mismatch',
          ...{ key: 'ring', value: 'stable', operator: 'In', values: ['beta'], moreValues: 0 },
        },
      },
      {
        version: '4.0.0',
        outcome: 'outside_cohort',
        rollout: { percent: 1, bucket, admission: null },
      },
      {
        version: '3.0.0',
        outcome: 'offered',
        rollout: { percent: 100, bucket: null, admission: null },
      },
    ])
  })

  test('includes the bucket of a device in a partial rollout', () => {
    const trace: CandidateTrace[] = []
    decide(channelOf([releaseOf('2.0.0', { rolloutPct: 99 })]), deviceOn('1.0.0'), trace)
    const bucket = cohortBucket('release-2.0.0', 'device-1')
    expect(trace).toMatchObject([{ outcome: 'offered', rollout: { percent: 99, bucket } }])
  })

  test('has no bucket for a device without an id, which cannot be in a partial rollout', () => {
    const trace: CandidateTrace[] = []
    const anonymous = deviceOn('1.0.0', { deviceId: null })
    decide(channelOf([releaseOf('2.0.0', { rolloutPct: 40 })]), anonymous, trace)
    expect(trace).toMatchObject([
      { outcome: 'outside_cohort', rollout: { percent: 40, bucket: null } },
    ])
  })

  test('stays empty if there is no candidate', () => {
    const trace: CandidateTrace[] = []
    decide(channelOf([releaseOf('1.0.0')]), deviceOn('1.0.0'), trace)
    expect(trace).toEqual([])
  })
})
