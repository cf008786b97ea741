import type { RequestHandler } from 'express'
import type { z } from 'zod'
import {
  type DecisionItem,
  DecisionsBody,
  MAX_FLEET_DEVICES,
  ReportBody,
  type ReportItem,
} from '../../../shared/devices/fleet.ts'
import { DEVICE_ID } from '../../../shared/names.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { serialiseOffer } from '../../rules/decision/manifest.ts'
import type { PlannedDevice } from '../../use-cases/fleet/plan-wave.ts'
import { parseInput } from '../answer/errors.ts'
import { type Part, sendParts } from '../answer/send-parts.ts'
import type { ApiContext } from '../context.ts'
import { principalOf } from '../request/auth.ts'

/** `POST /api/v1/fleet/decisions`: a decision per device, as the update check would make it. */
export function planWave({ updates, contact }: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseFleetBody(DecisionsBody, isPlainDecisionItem, request.body)
    const { channel, planned } = await updates.planWave(principalOf(request), body)
    // The devices are recorded, but a release can have been rolled back elsewhere since it was decided.
    contact.require()
    await sendParts(response, wavePlanParts(channel, planned))
  }
}

/** `POST /api/v1/fleet/report`: check-ins on the devices' behalf, answered once committed. */
export function reportState({ updates, log }: ApiContext): RequestHandler {
  return (request, response) => {
    const body = parseFleetBody(ReportBody, isPlainReportItem, request.body)
    const { length: received } = body.devices
    // Nothing keeps the devices while they are committed: see `reportDevices`.
    request.body = undefined
    return updates.report(principalOf(request), body).then(({ ref }) => {
      log.debug({ app: ref, devices: received }, 'report committed')
      response.json({ app: ref, received })
    })
  }
}

/**
 * Returns the response to a decision call, in parts: serialized manifests in UTF-8, and the little text
 * between them. Long notes are shared by reference, so 500 manifests with notes of 64 KiB take no more
 * memory than one.
 */
function wavePlanParts(
  channel: CatalogChannel,
  planned: readonly PlannedDevice[],
): readonly Part[] {
  const [app, name] = [JSON.stringify(channel.app.ref), JSON.stringify(channel.record.name)]
  const parts: Part[] = []
  let text = `{"app":${app},"channel":${name},"decisions":[`
  let updatesOffered = 0
  for (const [index, { item, version, decision }] of planned.entries()) {
    text += `${index === 0 ? '' : ','}{"deviceId":${JSON.stringify(item.deviceId)},"update":`
    if (decision.release === null) text += 'null'
    else {
      updatesOffered++
      const manifest = serialiseOffer(channel.compiled, decision, version)
      parts.push(text, ...manifest.parts)
      text = ''
    }
    text += `,"reason":"${decision.reason}"}`
  }
  parts.push(`${text}],"updatesOffered":${updatesOffered}}`)
  return parts
}

const LOWER_CASE_TOKEN = /^[a-z0-9][a-z0-9._-]{0,63}$/

/**
 * Parses the body of a fleet call by its schema. Where every device is plain the schema sees the
 * first alone, which makes 500 of them four times as fast. What is not plain for any reason, the
 * schema judges: `isPlain` must hold only for what it would take as it is.
 */
function parseFleetBody<Item, Body extends { devices: Item[] }>(
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
