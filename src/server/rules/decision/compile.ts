import type { ChannelPolicy } from '../../../shared/releases/channel.ts'
import { indexArtifacts } from './artifacts.ts'
import {
  type CompiledChannel,
  type CompiledRelease,
  offeredPct,
  type ReleaseFacts,
} from './channel.ts'
import { compileEarlyAccess } from './early-access.ts'
import { compileTargets } from './targets.ts'
import { compareVersions, parseVersion } from './version.ts'

/**
 * Prepares a channel for deciding. `releases` are all of the channel, in any order, each version
 * once. A release whose facts are the very object that `previous` was compiled from is taken over
 * from it. Throws a RangeError for a version or targets that were not validated.
 */
export function compileChannel<Facts extends ReleaseFacts>(
  policy: ChannelPolicy,
  releases: readonly Facts[],
  previous?: CompiledChannel<Facts>,
): CompiledChannel<Facts> {
  const known = new Map(previous?.releases.map((release) => [release.facts, release]))
  const compiled = releases
    .map((facts) => known.get(facts) ?? compileRelease(facts))
    .sort((a, b) => compareVersions(a.version, b.version))
  const published = compiled.filter(({ facts }) => facts.status === 'published')
  const rolledBack = compiled.filter(({ facts }) => facts.status === 'rolled_back')
  const earlyAccess = compileEarlyAccess(policy.earlyAccess)
  return {
    policy,
    minimumSupported: parseVersion(policy.minimumSupportedVersion),
    releases: compiled,
    published,
    rolledBack: new Set(rolledBack.map(({ version }) => version.text)),
    hasFloors: published.some(({ hasFloor }) => hasFloor),
    earlyAccess,
    labelReaders: countLabelReaders(published, earlyAccess?.readsLabels === true),
  }
}

function compileRelease<Facts extends ReleaseFacts>(facts: Facts): CompiledRelease<Facts> {
  return {
    facts,
    version: parseVersion(facts.version),
    targets: compileTargets(facts.targets),
    artifacts: indexArtifacts(facts.artifacts),
    hasFloor: facts.artifacts.some(
      ({ minimumSystemVersion }) => minimumSystemVersion !== undefined,
    ),
  }
}

/** `whileStaged`: whether early access reads labels, which matters only between 0% and 100%. */
function countLabelReaders(
  published: readonly CompiledRelease[],
  whileStaged: boolean,
): Uint32Array {
  const counts = new Uint32Array(published.length + 1)
  let count = 0
  for (const [index, { targets, facts, hasFloor }] of published.entries()) {
    const isStaged = facts.rolloutPct > 0 && offeredPct(facts) < 100
    if (targets?.readsLabels || hasFloor || (whileStaged && isStaged)) count += 1
    counts[index + 1] = count
  }
  return counts
}
