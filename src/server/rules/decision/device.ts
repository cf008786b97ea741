import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { DEVICE_KEYS } from '../../../shared/devices/counting.ts'
import type { LabelMap } from '../../../shared/names.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { type ParsedVersion, prepareVersion, UNKNOWN_VERSION } from './version.ts'

/** What a decision knows of a device. */
export interface DeviceFacts {
  /** `null` for a device without an ID. */
  readonly deviceId: string | null
  /** The version that the device runs; `UNKNOWN_VERSION` if it does not name it. */
  readonly version: ParsedVersion
  readonly platform: string
  readonly arch: string
  /** The kind of bundle that is installed, in lower case; empty if the device does not name one, `OTHER` if it is not known. */
  readonly bundle: string
  /** As merged: none has an empty value. */
  readonly labels: LabelMap
  /** The version of its operating system, where it says more than its label `os`. */
  readonly system?: string | undefined
  /** True if a person asked for the check. */
  readonly manual: boolean
  /** Undefined for an updater that orders versions as they are ordered here. */
  readonly takes?: Takes | undefined
}

/** What an updater takes that orders versions in its own way. */
export interface Takes {
  /** What the app runs, as its updater names it. */
  readonly running: string
  /** Returns what it compares of a version. */
  nameOf(version: ParsedVersion): string
  /** Returns whether that is above what the app runs, in its order. */
  isAbove(name: string): boolean
}

/** Returns whether an updater would install a version that is above its own here. */
export function isTaken(takes: Takes | undefined, version: ParsedVersion): boolean {
  return takes === undefined || takes.isAbove(takes.nameOf(version))
}

/** Returns the version of the operating system that the device states; undefined if it states none. */
export function systemOf({ system, labels }: DeviceFacts): string | undefined {
  return system ?? (Object.hasOwn(labels, 'os') ? labels.os : undefined)
}

/** Returns whether targets read `key` from the device itself. No label of that name ever counts. */
export function isDeviceKey(key: string): boolean {
  return DEVICE_KEYS.some((deviceKey) => deviceKey === key)
}

/** The value that targets see under `key`, in comparable form; `undefined` if there is none. */
export function factOf(device: DeviceFacts, key: string): string | undefined {
  switch (key) {
    case 'device.id':
      return device.deviceId ?? undefined
    case 'device.version':
      return device.version === UNKNOWN_VERSION ? undefined : device.version.text
    case 'device.platform':
      return canonicalPlatform(device.platform)
    case 'device.arch':
      return canonicalArch(device.arch)
    default:
      // A label can be named `constructor`: inherited members are not labels.
      return Object.hasOwn(device.labels, key) ? device.labels[key] : undefined
  }
}

/** A value from targets in the form in which `factOf` gives the device's. */
export function comparableValue(key: string, value: string): string {
  switch (key) {
    case 'device.version': {
      const read = readVersion(value)
      return read.ok ? read.version.text : value
    }
    case 'device.platform':
      return canonicalPlatform(value)
    case 'device.arch':
      return canonicalArch(value)
    default:
      return value
  }
}

/** Numbers as systems and drivers have them: `14`, `13.6`, `10.0.22631.4317`. */
const NUMBERS = /^\d{1,15}(?:\.\d{1,15}){0,3}$/

/** The version under `key`; `undefined` if it is none. Of a label's numbers the first three count, missing ones as 0. */
export function versionFactOf(device: DeviceFacts, key: string): ParsedVersion | undefined {
  if (key === 'device.version') {
    return device.version === UNKNOWN_VERSION ? undefined : device.version
  }
  const text = factOf(device, key)
  if (text === undefined) return undefined
  const read = readVersion(NUMBERS.test(text) ? threeNumbers(text) : text)
  return read.ok ? prepareVersion(read.version) : undefined
}

function threeNumbers(text: string): string {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number)
  return `${major}.${minor}.${patch}`
}
