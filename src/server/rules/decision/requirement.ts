import { MAX_NAMED_VALUES } from '../../../shared/devices/counting.ts'
import type { FailedCondition } from '../../../shared/devices/explanation.ts'
import type { Operator } from '../../../shared/releases/targets.ts'
import { comparableValue, type DeviceFacts, factOf, versionFactOf } from './device.ts'
import { isInRange, parseRange, type VersionRange } from './range.ts'

/** One condition on a device, prepared for testing. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  /** As the release manager wrote them. */
  readonly values: readonly string[]
  /** The same in the form of `factOf`. */
  readonly comparable: ReadonlySet<string>
  /** The ranges of `VersionIn`; empty for the other operators. */
  readonly ranges: readonly VersionRange[]
}

/** Prepares a condition. Throws a RangeError for a `VersionIn` with a value that is not a range. */
export function compileRequirement(
  key: string,
  operator: Operator,
  values: readonly string[],
): Requirement {
  const comparable = new Set(values.map((value) => comparableValue(key, value)))
  return {
    key,
    operator,
    values,
    comparable,
    ranges: operator === 'VersionIn' ? values.map(rangeOf) : [],
  }
}

/**
 * Tests a device against a condition, by the set-based requirements of Kubernetes: `NotIn` and
 * `DoesNotExist` hold if the device has no such key. `VersionIn` holds if the value is a
 * version in one of the ranges.
 */
export function holds(requirement: Requirement, device: DeviceFacts): boolean {
  const { key, operator, comparable } = requirement
  if (operator === 'VersionIn') return isInSomeRange(requirement, device)
  const fact = factOf(device, key)
  switch (operator) {
    case 'In':
      return fact !== undefined && comparable.has(fact)
    case 'NotIn':
      return fact === undefined || !comparable.has(fact)
    case 'Exists':
      return fact !== undefined
    case 'DoesNotExist':
      return fact === undefined
  }
}

/** Returns why a condition, which does not hold for the device, fails. */
export function failureOf(requirement: Requirement, device: DeviceFacts): FailedCondition {
  const { key, operator, values } = requirement
  const value = factOf(device, key)
  if (value === undefined) return { code: 'not_set', key }
  if (operator === 'VersionIn' && versionFactOf(device, key) === undefined) {
    return { code: 'not_a_version', key, value }
  }
  const named = values.slice(0, MAX_NAMED_VALUES)
  const moreValues = values.length - named.length
  return { code: 'mismatch', key, value, operator, values: named, moreValues }
}

function isInSomeRange({ key, ranges }: Requirement, device: DeviceFacts): boolean {
  const version = versionFactOf(device, key)
  if (version === undefined) return false
  for (const range of ranges) {
    if (isInRange(range, version)) return true
  }
  return false
}

function rangeOf(text: string): VersionRange {
  const range = parseRange(text)
  if (range === undefined) throw new RangeError(`${JSON.stringify(text)} is not a version range`)
  return range
}
