import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { LinkInfo, NewPassword, SignInResult, SignInState } from '../../shared/console/account.ts'
import { formatCallError } from '../console/errors.ts'
import type * as people from '../people/account.ts'
import type { People } from '../people/people.ts'
import { actorOf } from './principal.ts'

/** What the procedures of signing in work with. */
export interface AccountContext {
  readonly people: People
  readonly caller: people.Caller
  /** The session that the request carries; undefined for a stranger. */
  readonly session: people.Session | undefined
  /** Gives the browser a session, or takes it away. */
  keep(session: { readonly token: string; readonly expiresAt: string } | null): void
}

const { router, procedure } = initTRPC
  .context<AccountContext>()
  .create({ errorFormatter: formatCallError, isDev: false })

const Token = z.string().min(1).max(100)
const SignInInput = z.strictObject({ name: z.string().max(256), password: z.string().max(1_024) })
const SecondFactorInput = z.strictObject({
  challenge: Token,
  answer: z.union([
    z.strictObject({ totp: z.string().max(20) }),
    z.strictObject({ recoveryCode: z.string().max(40) }),
  ]),
})
const LinkInput = z.strictObject({
  token: Token,
  /** Undefined where the link is for an account that has a name. */
  name: z.string().max(256).optional(),
  password: NewPassword,
})

/** What a browser can ask without a session: to get one, or whether it has one. */
export const accountRouter = router({
  state: procedure.output(SignInState).query(({ ctx: { people, session } }) => ({
    hasAccounts: people.hasAccounts(),
    signedInAs: session?.account.name ?? null,
  })),

  link: procedure
    .input(z.strictObject({ token: Token }))
    .output(LinkInfo.nullable())
    .query(({ ctx, input }) => {
      const link = ctx.people.lookUpLink(input.token)
      return link === undefined ? null : { kind: link.kind, name: link.name }
    }),

  /** Sets the password of an account by a link: the first one, one that was invited, or one that forgot it. */
  acceptLink: procedure
    .input(LinkInput)
    .output(SignInResult)
    .mutation(async ({ ctx, input: { token, ...chosen } }) =>
      signedIn(ctx, await ctx.people.acceptLink(token, chosen, ctx.caller)),
    ),

  signIn: procedure
    .input(SignInInput)
    .output(SignInResult)
    .mutation(async ({ ctx, input }) => signedIn(ctx, await ctx.people.signIn(input, ctx.caller))),

  completeSecondFactor: procedure
    .input(SecondFactorInput)
    .output(z.void())
    .mutation(async ({ ctx, input: { challenge, answer } }) => {
      keep(ctx, await ctx.people.completeSecondFactor(challenge, answer, ctx.caller))
    }),

  signOut: procedure.output(z.void()).mutation(async ({ ctx }) => {
    const { people, session } = ctx
    if (session !== undefined) {
      await people.endSession(
        { actor: actorOf(session, ctx.caller), accountId: session.account.id },
        session.id,
      )
    }
    ctx.keep(null)
  }),
})

export type AccountRouter = typeof accountRouter

/** Keeps the session of a sign-in that is complete, and returns how far it is. */
function signedIn(context: AccountContext, result: people.SignInResult): SignInResult {
  if (result.kind === 'second_factor') return { ...result, methods: [...result.methods] }
  keep(context, result)
  return { kind: 'signed_in' }
}

function keep(context: AccountContext, { token, session }: people.SignedIn): void {
  context.keep({ token, expiresAt: session.expiresAt })
}
