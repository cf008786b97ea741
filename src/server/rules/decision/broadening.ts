import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import type { Requirement } from './requirement.ts'
import { requirementsOf } from './targets.ts'

export interface Serving {
  readonly targets: Targets
  readonly rolloutPct: number
  readonly status: ReleaseStatus
}

/**
 * Returns whether a change may offer the release to a device that was not offered it before: a higher rollout,
 * targets that some device meets only now, or a release that is served again. `before` is null for a release
 * that is about to be published. Every part is judged on its own, also while the release is paused; a
 * rollback never broadens.
 */
export function broadens(before: Serving | null, after: Serving): boolean {
  if (before === null) return after.rolloutPct > 0
  if (after.status === 'rolled_back') return false
  const isResumed = before.status !== 'published' && after.status === 'published'
  return (
    isResumed || after.rolloutPct > before.rolloutPct || !areWithin(after.targets, before.targets)
  )
}

/** Returns whether `outer` takes every device of `inner`. May be false where that follows only from several requirements. */
export function areWithin(inner: Targets, outer: Targets): boolean {
  const given = requirementsOf(inner)
  return requirementsOf(outer).every((needed) => given.some((known) => implies(known, needed)))
}

/** Returns whether a device that meets `known` meets `needed`. */
function implies(known: Requirement, needed: Requirement): boolean {
  if (known.key !== needed.key) return false
  const [having, wanted] = [known.comparable, needed.comparable]
  switch (needed.operator) {
    case 'In':
      return known.operator === 'In' && having.isSubsetOf(wanted)
    case 'NotIn':
      if (known.operator === 'NotIn') return wanted.isSubsetOf(having)
      if (known.operator === 'In') return having.isDisjointFrom(wanted)
      return known.operator === 'DoesNotExist'
    case 'Exists':
      return ['In', 'Exists', 'VersionIn'].includes(known.operator)
    case 'DoesNotExist':
      return known.operator === 'DoesNotExist'
    case 'VersionIn':
      return (
        known.operator === 'VersionIn' && new Set(known.values).isSubsetOf(new Set(needed.values))
      )
  }
}
