import { z } from 'zod'
import { UpdateManifest } from '../shared/manifest.ts'
import type { DeviceCheck, Offered } from './device.ts'

const { version, allowDowngrade } = UpdateManifest.shape
const Offer = z.object({ version, allowDowngrade })

/** Returns the request of an update check: path, query and headers. */
export function requestOf(check: DeviceCheck): {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
} {
  const { app, channel, platform, arch, version, deviceId, labels = {} } = check
  const path = `/u/${app}/${channel}/${platform}/${arch}/${version}`
  const sent = Object.entries(labels).map(([key, value]) => [`l.${key}`, value])
  const query = sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
  return { url: path + query, headers: deviceId === null ? {} : { 'x-service-device': deviceId } }
}

/**
 * What an update check was answered: the release to install, or null for none. Throws an Error with
 * the server's message for any other response.
 */
export function readOffer(status: number, text: string): Offered | null {
  if (status === 204) return null
  if (status !== 200) throw new Error(`the server answered ${status}: ${text}`)
  return Offer.parse(JSON.parse(text))
}
