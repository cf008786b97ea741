import type { Updates } from '../server/use-cases/updates.ts'
import type { SimulatedDevice } from './device.ts'
import { type ReleaseFailure, releasesOf } from './story/story.ts'
import { APPS } from './story/studio.ts'

const FAILURES = new Map(
  APPS.flatMap((app) =>
    releasesOf(app).flatMap(({ version, failure }) =>
      failure === undefined ? [] : [[`${app.ref} ${version}`, failure] as const],
    ),
  ),
)

/** Returns what goes wrong with a release on some devices; undefined for nothing. */
export function failureOf(app: string, version: string): ReleaseFailure | undefined {
  return FAILURES.get(`${app} ${version}`)
}

/** As over HTTP: to the judgement, all of the fleet is one office. */
const CALLER = '127.0.0.1'

/** What a check-in led to. */
export interface CheckInResult {
  /** Whether the device downloads a version now, to run it at its next start. */
  readonly updates: boolean
  /** Whether it reported that the version does not work. */
  readonly reports: boolean
}

/** Makes one check-in of a device that was started. */
export type CheckIn = (device: SimulatedDevice) => Promise<CheckInResult>

/** Returns check-ins that go to the use cases of a server in this process, without HTTP. */
export function checkInDirectly(updates: Updates): CheckIn {
  return async (device) => {
    const { deviceId, labels, ...named } = device.check()
    const installation = updates.installation(named)
    const counted = { caller: CALLER, bundle: '', manual: false, counts: true }
    const offer = await updates.check({ installation, deviceId, labels, ...counted })
    if (offer === null) return { updates: device.receive(null), reports: false }
    const { release, allowDowngrade } = offer.decision
    const { version } = release.facts
    const { app, channel } = device.traits
    const failure = failureOf(app, version)
    if (failure !== undefined && device.meetsFault(version, failure.share)) {
      if (deviceId !== null) {
        const outcome = { version, outcome: 'failed', detail: failure.detail } as const
        await updates.reportOutcome({ app, channel, deviceId, caller: CALLER, ...outcome })
      }
      return { updates: false, reports: deviceId !== null }
    }
    return { updates: device.receive({ version, allowDowngrade }), reports: false }
  }
}
