import { ServerStatus } from '../../shared/console/status.ts'
import { procedure, router } from './trpc.ts'

/** Asks no database: what is shown on every screen must be known also while there is none. */
export const statusRoutes = router({
  get: procedure.output(ServerStatus).query(({ ctx }) => ({
    database: ctx.databaseTrouble(),
    certificate: ctx.certificate(),
  })),
})
