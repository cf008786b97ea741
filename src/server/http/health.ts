import type { RequestHandler } from 'express'
import { z } from 'zod'
import { UsedBudget } from '../../shared/budgets.ts'
import type { ApiContext } from './context.ts'

export const HealthAnswer = z
  .strictObject({
    status: z.enum(['ok', 'failing']),
    version: z.string().meta({ description: 'Version of this program' }),
    database: z.strictObject({
      state: z.enum(['ok', 'failing']),
      revision: z.int().meta({ description: 'Grows with every change of the catalog' }).nullable(),
    }),
    telemetry: z.strictObject({
      state: z.enum(['ok', 'failing']),
      queued: z.int().meta({ description: 'Check-ins that wait to be written' }),
      lost: z.int().meta({ description: 'Heartbeats lost since the database was made' }),
    }),
    budgets: z.array(UsedBudget).meta({
      description: 'Budgets of callers without a key that refused something in the last hour',
    }),
  })
  .meta({ id: 'HealthAnswer' })

/** `GET /healthz`: 200 while the database answers, 503 while it does not. */
export function health({ catalog, fleet, log, version }: ApiContext): RequestHandler {
  return async (_request, response) => {
    const revision = await catalog.store.revision().catch((error: unknown) => {
      log.error({ err: error }, 'the database does not answer')
      return null
    })
    const state = revision === null ? 'failing' : 'ok'
    const { queued, lost, failure, budgets } = fleet.health
    const telemetry = { state: failure === null ? 'ok' : 'failing', queued, lost } as const
    const database = { state, revision } as const
    const answer = { status: state, version, database, telemetry, budgets } as const
    response
      .set('Cache-Control', 'no-store')
      .status(revision === null ? 503 : 200)
      .json(answer)
  }
}
