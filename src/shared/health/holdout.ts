import { z } from 'zod'
import { FailedShare } from './judgement.ts'

/** What a holdout compares. */
export const HOLDOUT_MEASURES = ['silent', 'reverted', 'crashed'] as const
export type HoldoutMeasure = (typeof HOLDOUT_MEASURES)[number]

const Compared = z.strictObject({
  offered: FailedShare.meta({ description: 'Of the devices that were offered the release' }),
  heldBack: FailedShare.meta({ description: 'Of those that were held back' }),
  isWorse: z.boolean().meta({
    description:
      'Whether it is shown, however often one looks, that the share of those that were offered it is larger',
  }),
})
export type Compared = z.infer<typeof Compared>

/**
 * What became of the devices that were offered a release, and of those that its plan held back: silent and reverted devices,
 * and crashed sessions of the release and of the previous one; null without sessions of both.
 */
export const HoldoutResult = z
  .strictObject({ silent: Compared, reverted: Compared, crashed: Compared.nullable() })
  .meta({ id: 'HoldoutResult' })
export type HoldoutResult = z.infer<typeof HoldoutResult>
