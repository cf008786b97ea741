import { z } from 'zod'
import { UpdateManifest } from '../shared/releases/manifest.ts'
import { type CheckIn, failureOf } from './check-in.ts'
import type { DeviceCheck, Offered, SimulatedDevice } from './device.ts'

const { version, allowDowngrade } = UpdateManifest.shape
const Offer = z.object({ version, allowDowngrade })

/** Returns the request of an update check: path, query and headers. */
function requestOf(check: DeviceCheck): {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
} {
  const { app, channel, platform, arch, version, deviceId, labels = {} } = check
  const path = `/u/${app}/${channel}/${platform}/${arch}/${version}`
  const sent = Object.entries(labels).map(([key, value]) => [`l.${key}`, value])
  const query = sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
  return { url: path + query, headers: deviceId === null ? {} : { 'x-service-device': deviceId } }
}

/** Returns the request that reports that a version does not work on a device; null if it works, or nobody would know. */
function reportOf(
  device: SimulatedDevice,
  version: string,
): { readonly url: string; readonly init: RequestInit } | null {
  const { app, channel, id } = device.traits
  const failure = failureOf(app, version)
  if (id === null || failure === undefined || !device.meetsFault(version, failure.share))
    return null
  const headers = { 'x-service-device': id, 'content-type': 'application/json' }
  const body = JSON.stringify({ version, outcome: 'failed', detail: failure.detail })
  return { url: `/u/${app}/${channel}/outcome`, init: { method: 'POST', headers, body } }
}

/**
 * What an update check was answered: the release to install, or null for none. Throws an Error with
 * the server's message for any other response.
 */
function readOffer(status: number, text: string): Offered | null {
  if (status === 204) return null
  if (status !== 200) throw new Error(`the server answered ${status}: ${text}`)
  return Offer.parse(JSON.parse(text))
}

/** Share of a device's patience, so that a raised rollout shows its effect soon. */
const HASTE = 0.1
/** Milliseconds after which an answer is given up. */
const PATIENCE = 10_000

/** Returns check-ins over HTTP, as apps make them. They reject once `stopped` is aborted. */
export function checkInOverHttp(address: string, stopped: AbortSignal): CheckIn {
  return async (device) => {
    const { url, headers } = requestOf(device.check())
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)])
    const reply = await fetch(address + url, { headers, signal })
    const offer = readOffer(reply.status, await reply.text())
    const report = offer && reportOf(device, offer.version)
    if (report === null) return { updates: device.receive(offer, HASTE), reports: false }
    const reported = await fetch(address + report.url, { ...report.init, signal })
    await reported.body?.cancel()
    return { updates: false, reports: true }
  }
}
