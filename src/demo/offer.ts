import { z } from 'zod'
import { UpdateManifest } from '../shared/manifest.ts'

const { version, allowDowngrade } = UpdateManifest.shape
const Offer = z.object({ version, allowDowngrade })
export type Offer = z.output<typeof Offer>

/**
 * What an update check was answered: the release to install, or null for none. Throws an Error with
 * what the server said for any other answer.
 */
export function readOffer(status: number, body: string | readonly Uint8Array[] = ''): Offer | null {
  if (status === 204) return null
  const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
  if (status !== 200) throw new Error(`the server answered ${status}: ${text}`)
  return Offer.parse(JSON.parse(text))
}
