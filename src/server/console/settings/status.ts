import { ServerStatus } from '../../../shared/console/status.ts'
import { procedure, router } from '../trpc.ts'

/** Does not query the database: what is shown on every screen must work without it. */
export const statusRoutes = router({
  get: procedure.output(ServerStatus).query(({ ctx }) => ({
    database: ctx.databaseTrouble(),
    certificate: ctx.certificate(),
  })),
})
