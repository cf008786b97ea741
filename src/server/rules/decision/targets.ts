import type { FailedCondition } from '../../../shared/devices/explanation.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import { type DeviceFacts, isDeviceKey } from './device.ts'
import { parseRange } from './range.ts'
import { compileRequirement, failureOf, holds, type Requirement } from './requirement.ts'

/** Targets prepared for matching: every requirement must hold. */
export interface CompiledTargets {
  readonly requirements: readonly Requirement[]
  /** False if no label of a device can change the answer. */
  readonly readsLabels: boolean
}

/** Returns the path, inside the targets, of the first value of a `VersionIn` that is not an npm semver range. */
export function invalidRange(targets: Targets): string[] | undefined {
  for (const [index, { operator, values = [] }] of targets.matchExpressions.entries()) {
    if (operator !== 'VersionIn') continue
    const wrong = values.findIndex((value) => parseRange(value) === undefined)
    if (wrong === -1) continue
    return ['matchExpressions', String(index), 'values', String(wrong)]
  }
  return undefined
}

/** Prepares targets for matching; `null` if they match every device. Throws a RangeError if `invalidRange` finds a range. */
export function compileTargets(targets: Targets): CompiledTargets | null {
  const requirements = requirementsOf(targets)
  if (requirements.length === 0) return null
  return { requirements, readsLabels: requirements.some(({ key }) => !isDeviceKey(key)) }
}

/** Returns the conditions of targets, all of which must hold. Throws as `compileTargets` does. */
export function requirementsOf({ matchLabels, matchExpressions }: Targets): Requirement[] {
  return [
    ...Object.entries(matchLabels).map(([key, values]) =>
      compileRequirement(key, 'In', [values].flat()),
    ),
    ...matchExpressions.map(({ key, operator, values = [] }) =>
      compileRequirement(key, operator, values),
    ),
  ]
}

/** Returns whether a device matches the targets. */
export function matches(targets: CompiledTargets, device: DeviceFacts): boolean {
  return firstFailure(targets, device) === undefined
}

/** Returns the first condition that the device does not meet; `undefined` if it meets them all. */
export function failedCondition(
  targets: CompiledTargets,
  device: DeviceFacts,
): FailedCondition | undefined {
  const failure = firstFailure(targets, device)
  return failure && failureOf(failure, device)
}

function firstFailure(targets: CompiledTargets, device: DeviceFacts): Requirement | undefined {
  for (const requirement of targets.requirements) {
    if (!holds(requirement, device)) return requirement
  }
  return undefined
}
