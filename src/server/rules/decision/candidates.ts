import type { CompiledChannel } from './channel.ts'
import { compareVersions, type ParsedVersion } from './version.ts'

/**
 * The releases that a device may be offered: `channel.published` from `bottom` up to, not
 * including, `top`. They are tried from the top down. Those from `above` on are above the
 * device's version, the others below it.
 */
export interface Candidates {
  readonly bottom: number
  readonly above: number
  readonly top: number
  /** True if the device's version is a rolled-back release of the channel. */
  readonly fromRolledBack: boolean
}

/**
 * Finds the candidates for a device on `version`: the published releases above it; for a
 * rolled-back version those below it, or with the policy `roll-forward` both.
 */
export function candidatesFor(channel: CompiledChannel, version: ParsedVersion): Candidates {
  const { published, policy, rolledBack } = channel
  const above = countUpTo(channel, version)
  const fromRolledBack = rolledBack.size > 0 && rolledBack.has(version.text)
  const top = fromRolledBack && policy.rollback === 'downgrade' ? above : published.length
  return { bottom: fromRolledBack ? 0 : above, above, top, fromRolledBack }
}

/** Returns whether labels can change any decision of the channel. */
export function readsLabels({ labelReaders }: CompiledChannel): boolean {
  return labelReaders[labelReaders.length - 1] !== 0
}

/** Returns whether labels can change the decision for a device on `version`. If not, a caller need not look them up. */
export function needsLabels(channel: CompiledChannel, version: ParsedVersion): boolean {
  if (!readsLabels(channel)) return false
  const { labelReaders } = channel
  const { bottom, top } = candidatesFor(channel, version)
  return labelReaders[bottom] !== labelReaders[top]
}

/** How many published releases are not above `version`. */
function countUpTo({ published }: CompiledChannel, version: ParsedVersion): number {
  // Most devices run the newest release: look there before halving.
  const newest = published.at(-1)
  if (newest === undefined || compareVersions(newest.version, version) <= 0) return published.length
  let low = 0
  let high = published.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    const release = published[middle]
    if (release !== undefined && compareVersions(release.version, version) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
