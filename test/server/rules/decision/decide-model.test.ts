import { createHash } from 'node:crypto'
import fc from 'fast-check'
import semver from 'semver'
import { describe, expect, test } from 'vitest'
import type { ReleaseFacts } from '../../../../src/server/rules/decision/channel.ts'
import { type DeviceFacts, decide } from '../../../../src/server/rules/decision/decide.ts'
import { parseVersion } from '../../../../src/server/rules/decision/version.ts'
import type { CandidateTrace } from '../../../../src/shared/devices/explanation.ts'
import { type ChannelPolicy, NO_EARLY_ACCESS } from '../../../../src/shared/releases/channel.ts'
import type { Artifact } from '../../../../src/shared/releases/release.ts'
import {
  EVERY_DEVICE,
  type MatchExpression,
  type Targets,
} from '../../../../src/shared/releases/targets.ts'
import {
  device as anyDevice,
  artifactTokens,
  closeVersion,
  earlyAccess,
  targets,
} from '../../../support/builders/arbitraries.ts'
import { artifactFor, channelOf, releaseOf } from '../../../support/builders/decision-facts.ts'

// The published rules once more, written as plainly as possible and without the code under test.

const SAME = [
  ['darwin', 'macos'],
  ['windows', 'win32'],
  ['x86_64', 'x64', 'amd64'],
  ['aarch64', 'arm64'],
]
const same = (a: string, b: string) =>
  a === b || SAME.some((names) => names.includes(a) && names.includes(b))

function expressionHolds({ key, operator, values = [] }: MatchExpression, device: DeviceFacts) {
  const facts = new Map<string, string | null>([
    ...Object.entries(device.labels),
    ['device.id', device.deviceId],
    ['device.version', device.version.text],
    ['device.platform', device.platform],
    ['device.arch', device.arch],
  ])
  const fact = facts.get(key) ?? null
  const aliased = key === 'device.platform' || key === 'device.arch'
  const plain = (value: string) => (key === 'device.version' ? value.replace(/^v/, '') : value)
  const equal = (a: string, b: string) => (aliased ? same(a, b) : plain(a) === b)
  const listed = fact !== null && values.some((value) => equal(value, fact))
  if (operator === 'In') return listed
  if (operator === 'NotIn') return !listed
  if (operator === 'Exists') return fact !== null
  if (operator === 'DoesNotExist') return fact === null
  const options = { includePrerelease: true }
  return fact !== null && values.some((range) => semver.satisfies(fact, range, options))
}

const USUAL: Readonly<Record<string, readonly string[]>> = {
  darwin: ['app', 'zip'],
  macos: ['app', 'zip'],
  linux: ['appimage'],
  windows: ['nsis'],
  win32: ['nsis'],
}

function artifactOf(artifacts: readonly Artifact[], device: DeviceFacts): Artifact | undefined {
  const firsts = artifacts.filter(
    (one, index) =>
      !artifacts
        .slice(0, index)
        .some(
          (other) =>
            same(one.platform, other.platform) &&
            (same(one.arch, other.arch) || (isAny(one) && isAny(other))) &&
            one.kind === other.kind,
        ),
  )
  const theirs = firsts.filter(({ platform }) => same(platform, device.platform))
  const levels = [theirs.filter(({ arch }) => same(arch, device.arch)), theirs.filter(isAny)]
  const kinds = device.bundle === '' ? ['', ...(USUAL[device.platform] ?? [])] : [device.bundle, '']
  for (const level of levels) {
    for (const wanted of kinds) {
      const match = level.find(({ kind }) => kind === wanted)
      if (match !== undefined) return match
    }
  }
  const only = levels.find((level) => level.length === 1)?.[0]
  const isOther = KNOWN.has(device.bundle) && KNOWN.has(only?.kind ?? '')
  return isOther ? undefined : only
}

const KNOWN = new Set(['app', 'appimage', 'deb', 'rpm', 'pacman', 'nsis', 'msi', 'zip', 'dmg'])

function isAny({ arch }: Artifact): boolean {
  return arch === 'any' || arch === 'universal'
}

function isMatched(targets: Targets, device: DeviceFacts): boolean {
  const labels = Object.entries(targets.matchLabels).map(
    ([key, values]) => ({ key, operator: 'In', values: [values].flat() }) as const,
  )
  return [...labels, ...targets.matchExpressions].every((each) => expressionHolds(each, device))
}

/** Systems of each platform, oldest first, in the forms in which they are stated. */
const SYSTEMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [['13.2', '22.3.0'], ['14.4', '23.4.0', 'macOS 14.4'], ['15.0', '24.0.0'], ['25.1.0']],
  windows: [['8.1'], ['10.0.19045', '19045'], ['10.0.22631', '11.0.22631']],
  linux: [['5.15.0'], ['6.8.0-45-generic', '6.8.0']],
}
const UNREADABLE = 'unknown'

const systemsOf = (platform: string) =>
  Object.entries(SYSTEMS).find(([name]) => same(name, platform))?.[1] ?? []

function systemOn(platform: string): fc.Arbitrary<string | undefined> {
  const readable = systemsOf(platform).flat()
  return fc.constantFrom(undefined, undefined, UNREADABLE, ...readable)
}

function isTooOld({ platform, minimumSystemVersion = '' }: Artifact, device: DeviceFacts): boolean {
  const stated = device.system ?? device.labels.os ?? ''
  const rank = (text: string) => systemsOf(platform).findIndex((names) => names.includes(text))
  const [needed, running] = [rank(minimumSystemVersion), rank(stated)]
  return needed >= 0 && running >= 0 && running < needed
}

type Reach = Pick<ChannelPolicy, 'earlyAccess' | 'manualChecks'>

function obstacle(
  { id, rolloutPct, ...facts }: ReleaseFacts,
  { earlyAccess, manualChecks }: Reach,
  device: DeviceFacts,
): string | null {
  const artifact = artifactOf(facts.artifacts, device)
  if (artifact === undefined) return 'no_artifact'
  if (isTooOld(artifact, device)) return 'system_too_old'
  if (!isMatched(facts.targets, device)) return 'not_targeted'
  const isEarly =
    earlyAccess.deviceIds.some((id) => id === device.deviceId) ||
    (device.deviceId !== null && earlyAccess.targets.some((targets) => isMatched(targets, device)))
  if (rolloutPct > 0 && (isEarly || (device.manual && manualChecks))) return null
  const digest = createHash('sha256').update(`${id}:${device.deviceId}`).digest('hex')
  const bucket = Number(`0x${digest.slice(0, 8)}`) / 2 ** 32
  const inside = rolloutPct === 100 || (device.deviceId !== null && bucket < rolloutPct / 100)
  return inside ? null : 'outside_cohort'
}

function model(
  releases: readonly ReleaseFacts[],
  { rollback, ...reach }: Reach & Pick<ChannelPolicy, 'rollback'>,
  device: DeviceFacts,
) {
  const own = device.version.text
  const published = releases
    .filter(({ status }) => status === 'published')
    .sort((a, b) => semver.compareBuild(b.version, a.version))
  const above = published.filter(({ version }) => semver.compareBuild(version, own) > 0)
  const below = published.filter(({ version }) => semver.compareBuild(version, own) < 0)
  const sentBack = releases.some((each) => each.status === 'rolled_back' && each.version === own)
  const forward = sentBack && rollback === 'downgrade' ? [] : above
  const candidates = [...forward, ...(sentBack ? below : [])]
  const offer = candidates.find((each) => obstacle(each, reach, device) === null)
  if (offer !== undefined) {
    const reason = above.includes(offer) ? 'update' : 'rollback'
    return { reason, version: offer.version, allowDowngrade: reason === 'rollback' }
  }
  const [newest] = candidates
  if (newest !== undefined) return { reason: obstacle(newest, reach, device) }
  return { reason: sentBack || published.length === 0 ? 'no_release' : 'up_to_date' }
}

const release: fc.Arbitrary<ReleaseFacts> = fc
  .record({
    version: closeVersion,
    status: fc.constantFrom('published', 'published', 'published', 'paused', 'rolled_back'),
    rolloutPct: fc.constantFrom(0, 10, 50, 90, 100, 100, 100),
    targets: fc.oneof(fc.constant(EVERY_DEVICE), targets),
    artifacts: fc.array(
      artifactTokens.chain((parts) =>
        systemOn(parts[0]).map((minimumSystemVersion) => {
          return { ...artifactFor(...parts), minimumSystemVersion }
        }),
      ),
      { maxLength: 6 },
    ),
  })
  .map(({ version, artifacts, ...rest }) => {
    return releaseOf(version, { ...rest, artifacts })
  })

/** Devices that state their system in the query, by a label, by both or not at all. */
const statingDevice = anyDevice.chain((device) =>
  fc.tuple(systemOn(device.platform), systemOn(device.platform)).map(([system, os]) => {
    const labels = os === undefined ? device.labels : { ...device.labels, os }
    return { ...device, system, labels }
  }),
)

const scenario = fc
  .record({
    releases: fc.uniqueArray(release, { selector: ({ version }) => version, maxLength: 12 }),
    policy: fc.record({
      rollback: fc.constantFrom('downgrade' as const, 'roll-forward' as const),
      earlyAccess: fc.oneof(fc.constant(NO_EARLY_ACCESS), earlyAccess),
      manualChecks: fc.boolean(),
    }),
    device: statingDevice,
    own: fc.nat({ max: 23 }),
  })
  .map(({ releases, policy, device, own }) => {
    // Half of the devices run a release of the channel.
    const version = releases[own]?.version
    return {
      releases,
      policy,
      device: version === undefined ? device : { ...device, version: parseVersion(version) },
    }
  })

describe('any decision', () => {
  test('is that of the plainly written rules', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(scenario, ({ releases, policy, device }) => {
        const decision = decide(channelOf(releases, policy), device)
        const { reason } = decision
        seen.set(reason, (seen.get(reason) ?? 0) + 1)
        const decided =
          decision.release === null
            ? { reason }
            : {
                reason,
                version: decision.release.facts.version,
                allowDowngrade: decision.allowDowngrade,
              }
        expect(decided).toEqual(model(releases, policy, device))
      }),
      { numRuns: 2_000, seed: 20_260_314 },
    )
    expect([...seen.keys()].sort()).toEqual([
      'no_artifact',
      'no_release',
      'not_targeted',
      'outside_cohort',
      'rollback',
      'system_too_old',
      'up_to_date',
      'update',
    ])
  })

  test('offers only a published release that the device can have, and never itself', () => {
    fc.assert(
      fc.property(scenario, ({ releases, policy, device }) => {
        const decision = decide(channelOf(releases, policy), device)
        if (decision.release === null) return
        const { facts } = decision.release
        expect(facts.status).toBe('published')
        expect(obstacle(facts, policy, device)).toBeNull()
        expect(facts.artifacts).toContain(decision.artifact)
        const order = semver.compareBuild(facts.version, device.version.text)
        expect(order).toBe(decision.allowDowngrade ? -1 : 1)
      }),
      { numRuns: 1_000 },
    )
  })

  test('is the same with a trace, which ends with the offer and begins with the reason', () => {
    fc.assert(
      fc.property(scenario, ({ releases, policy, device }) => {
        const channel = channelOf(releases, policy)
        const trace: CandidateTrace[] = []
        const decision = decide(channel, device, trace)
        expect(decision).toEqual(decide(channel, device))
        const versions = trace.map(({ version }) => version)
        expect(versions).toEqual(versions.toSorted(semver.compareBuild).reverse())
        const offered = trace.findIndex((line) => line.outcome === 'offered')
        if (decision.release === null) expect(offered).toBe(-1)
        else expect(offered).toBe(trace.length - 1)
        const [newest] = trace
        if (decision.release === null && newest) expect(decision.reason).toBe(newest.outcome)
        for (const { version, outcome } of trace) {
          const facts = releases.find((each) => each.version === version)
          expect(facts && (obstacle(facts, policy, device) ?? 'offered')).toBe(outcome)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('does not depend on the order in which releases are listed', () => {
    fc.assert(
      fc.property(scenario, ({ releases, policy, device }) => {
        const forth = decide(channelOf(releases, policy), device)
        const back = decide(channelOf(releases.toReversed(), policy), device)
        expect(back).toEqual(forth)
      }),
      { numRuns: 500 },
    )
  })
})
