import { z } from 'zod'
import { Version } from '../names.ts'
import { Outcome } from './health.ts'

/** Longest description of an outcome, in characters. */
const MAX_OUTCOME_DETAIL = 500

const DETAIL = `must be at most ${MAX_OUTCOME_DETAIL} characters without control characters`

/** What an app reports of an update that it was offered. */
export const OutcomeBody = z
  .strictObject({
    version: Version.meta({ description: 'The version of the update' }),
    outcome: Outcome.meta({
      description: '`ok`: the version runs. `failed`: it could not be installed, or does not work',
    }),
    detail: z
      .string()
      .max(MAX_OUTCOME_DETAIL, DETAIL)
      .refine((text) => !/\p{Cc}/u.test(text), DETAIL)
      .default('')
      .meta({
        description:
          'Why, such as an error message; without control characters. Do not send personal data',
      }),
  })
  .meta({ id: 'OutcomeBody' })
export type OutcomeBody = z.infer<typeof OutcomeBody>
