import { z } from 'zod'
import { ConfirmationProof, Me } from '../../../shared/console/people/people.ts'
import { visibleApps } from '../../use-cases/principal.ts'
import { commandProcedure } from '../command-context.ts'
import { procedure, router } from '../trpc.ts'
import { appRoles } from './people.ts'

/** Who the page acts as. Does not query the database: every screen needs it. */
export const sessionRoutes = router({
  me: commandProcedure.output(Me).query(({ ctx: { catalog, principal } }) => {
    const { actor, access } = principal
    const apps = appRoles(visibleApps(catalog.snapshot, principal), access.apps)
    return { name: actor.name, kind: actor.kind, access: { server: access.server, apps } }
  }),

  /** Confirms that the person at this session is who began it. Passkeys and the identity provider: see `own-account.ts`. */
  confirm: procedure
    .input(ConfirmationProof)
    .output(z.void())
    .mutation(({ ctx: { session }, input }) => session?.confirm(input)),
})
