import { z } from 'zod'
import { RELEASE_NAMES, RolloutPct } from '../names.ts'
import { ReleaseStatus } from './release.ts'

/** How many devices run a release, and how it is served. */
export const Adoption = z
  .strictObject({
    ...RELEASE_NAMES,
    status: ReleaseStatus,
    rolloutPct: RolloutPct,
    devices: z.int().min(0).meta({
      description: 'Devices of the channel that were seen today or on the 6 days before, UTC',
    }),
    adopted: z.int().min(0).meta({ description: 'Of those, the devices that run this version' }),
    share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: '`adopted` of `devices`, 0 to 1; null without devices' }),
  })
  .meta({ id: 'Adoption' })
export type Adoption = z.infer<typeof Adoption>

export const AdoptionAnswer = z.strictObject({ adoption: Adoption }).meta({ id: 'AdoptionAnswer' })
