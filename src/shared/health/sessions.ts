import { z } from 'zod'

const count = z.int().min(0)
const share = z.number().min(0).max(100)

/** Sessions of apps that run a release, as they report them without a key (docs/health.md). */
export const SessionHealth = z
  .strictObject({
    started: count,
    ended: count.meta({ description: 'The sum of the next four' }),
    healthy: count.meta({ description: 'Ended without errors' }),
    errored: count.meta({ description: 'Ended after errors, without a crash' }),
    crashed: count,
    abnormal: count.meta({ description: 'Ended without the app, such as by a power cut' }),
    crashFreePct: share.nullable().meta({
      description: 'Share of the ended sessions that did not crash, in percent; null if none ended',
    }),
    crashFreeAtLeastPct: share.nullable().meta({
      description: 'Lower bound of that share, as gates look at it; null if none ended',
    }),
    networks: count.meta({
      description: 'Networks that reported sessions; several can count as one',
    }),
    devices: count.nullable().meta({
      description:
        'Devices that had sessions, exact to about 7%; null if no session has named its device',
    }),
    crashedDevices: count.nullable().meta({
      description: 'Those of them whose sessions crashed, exact to about 7%',
    }),
  })
  .meta({ id: 'SessionHealth' })
export type SessionHealth = z.infer<typeof SessionHealth>
