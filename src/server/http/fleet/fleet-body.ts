import type { z } from 'zod'
import { type DecisionItem, MAX_FLEET_DEVICES, type ReportItem } from '../../../shared/fleet.ts'
import { DEVICE_ID } from '../../../shared/names.ts'
import { readVersion } from '../../../shared/version.ts'
import { parseInput } from '../answer/errors.ts'

const LOWER_CASE_TOKEN = /^[a-z0-9][a-z0-9._-]{0,63}$/

/**
 * Parses the body of a fleet call by its schema. Where every device is plain the schema sees the
 * first alone, which makes 500 of them four times as fast. What is not plain for any reason, the
 * schema judges: `isPlain` must hold only for what it would take as it is.
 */
export function parseFleetBody<Item, Body extends { devices: Item[] }>(
  schema: z.ZodType<Body>,
  isPlain: (item: unknown) => item is Item,
  input: unknown,
): Body {
  const devices = plainDevices(input, isPlain)
  if (devices === undefined) return parseInput(schema, input)
  const sample = { ...Object(input), devices: devices.slice(0, 1) }
  return { ...parseInput(schema, sample), devices }
}

/** A device of a report without labels and outcome, in canonical form. */
export function isPlainReportItem(item: unknown): item is ReportItem {
  if (typeof item !== 'object' || item === null) return false
  const members = item as Partial<Record<string, unknown>>
  const { deviceId, version, platform, arch, labels, outcome } = members
  return (
    labels === undefined &&
    outcome === undefined &&
    isCanonicalVersion(version) &&
    typeof deviceId === 'string' &&
    DEVICE_ID.test(deviceId) &&
    (platform === undefined || isPlainToken(platform)) &&
    (arch === undefined || isPlainToken(arch))
  )
}

/** A device of a decision call without labels, in canonical form. */
export function isPlainDecisionItem(item: unknown): item is DecisionItem {
  if (!isPlainReportItem(item) || item.platform === undefined || item.arch === undefined) {
    return false
  }
  const { bundle, os }: Partial<Record<string, unknown>> = item
  return (
    (bundle === undefined || isPlainToken(bundle)) && (os === undefined || typeof os === 'string')
  )
}

function plainDevices<Item>(
  input: unknown,
  isPlain: (item: unknown) => item is Item,
): Item[] | undefined {
  if (typeof input !== 'object' || input === null || !('devices' in input)) return undefined
  const { devices } = input
  if (!Array.isArray(devices) || devices.length === 0) return undefined
  if (devices.length > MAX_FLEET_DEVICES || !devices.every(isPlain)) return undefined
  return devices
}

function isCanonicalVersion(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const read = readVersion(value)
  return read.ok && read.version.text === value
}

function isPlainToken(value: unknown): boolean {
  return typeof value === 'string' && LOWER_CASE_TOKEN.test(value)
}
