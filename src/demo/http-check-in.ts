import type { CheckIn } from './check-in.ts'
import { readOffer, reportOf, requestOf } from './update-check.ts'

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
