import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import {
  BegunSignIn,
  ComputerName,
  SignInProgress,
} from '../../shared/console/people/sign-in-codes.ts'
import { formatCallError } from '../console/errors.ts'
import { guarded } from '../console/guarded.ts'
import type * as people from '../people/account.ts'
import type { People } from '../people/people.ts'
import type { Contact } from '../use-cases/contact.ts'
import { SealedToken } from './account-context.ts'
import { actorOf } from './principal.ts'

export interface CommandLineSignInContext {
  readonly people: People
  readonly contact: Contact
  readonly caller: people.Caller
  /** The session whose token the request carries, if it still holds. */
  readonly session: people.Session | undefined
}

const trpc = initTRPC
  .context<CommandLineSignInContext>()
  .create({ errorFormatter: formatCallError, isDev: false })

const procedure = trpc.procedure.use(({ ctx: { contact }, path, type, next }) =>
  guarded({ path, type, next, contact }),
)

/** Signing in on the command line, and out again. */
export const commandLineSignInRouter = trpc.router({
  begin: procedure
    .input(z.strictObject({ computer: ComputerName, managesPeople: z.boolean().default(false) }))
    .output(BegunSignIn)
    .mutation(({ ctx: { people, caller }, input: { computer, managesPeople } }) => {
      const { deviceCode, request } = people.codes.begin(computer, caller, managesPeople)
      const { userCode, address, expiresAt } = request
      return { deviceCode, userCode, address, expiresAt }
    }),

  poll: procedure
    .input(z.strictObject({ deviceCode: SealedToken }))
    .output(SignInProgress)
    .mutation(async ({ ctx: { people, caller }, input: { deviceCode } }) => {
      const progress = await people.codes.poll(deviceCode, caller)
      if (progress.state !== 'signed_in') return { state: progress.state }
      const { token, session } = progress
      const { account, expiresAt } = session
      return { state: 'signed_in', token, name: account.name, expiresAt }
    }),

  /** Ends the session; does nothing if it has ended. */
  end: procedure.output(z.void()).mutation(async ({ ctx: { people, caller, session } }) => {
    if (session === undefined) return
    const by = { actor: actorOf(session, caller), accountId: session.account.id }
    await people.endSession(by, session.id)
  }),
})

export type CommandLineSignInRouter = typeof commandLineSignInRouter
