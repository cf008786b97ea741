import { z } from 'zod'
import { PasskeyAssertion } from '../../shared/access/person.ts'
import {
  LinkInfo,
  NewPassword,
  SignInResult,
  SignInState,
} from '../../shared/console/people/account.ts'
import { Refusal } from '../catalog/errors.ts'
import type * as people from '../people/account.ts'
import {
  type AccountContext,
  PageAddress,
  procedure,
  router,
  SealedToken,
  signInProcedure,
  Token,
} from './account-context.ts'
import { ownAccountRouter } from './own-account.ts'
import { actorOf } from './principal.ts'
import { beginSignOn } from './sign-on.ts'

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

/** What a browser learns that has to show the code first. */
const NOTHING = { hasAccounts: true, signedInAs: null, singleSignOn: null } as const

const SignOnInput = z.strictObject({
  page: PageAddress,
  link: Token.optional(),
})

/** What a browser can ask without a session: to get one, or whether it has one. `own`: needs one. */
export const accountRouter = router({
  state: procedure.output(SignInState).query(({ ctx: { people, session, needsCode } }) => {
    if (needsCode) return { ...NOTHING, needsCode }
    return {
      needsCode,
      hasAccounts: people.hasAccounts(),
      signedInAs: session?.account.name ?? null,
      singleSignOn: people.singleSignOn?.provider ?? null,
    }
  }),

  /** Shows that the browser is on this computer, by the code that the server printed there. */
  enterCode: procedure
    .input(z.strictObject({ code: Token }))
    .output(z.void())
    .mutation(({ ctx, input }) => {
      if (!ctx.enterCode(input.code)) throw new Refusal({ code: 'console_code_wrong' })
    }),

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

  signIn: signInProcedure
    .input(SignInInput)
    .output(SignInResult)
    .mutation(async ({ ctx, input }) => signedIn(ctx, await ctx.people.signIn(input, ctx.caller))),

  completeSecondFactor: procedure
    .input(SecondFactorInput)
    .output(z.void())
    .mutation(async ({ ctx, input: { challenge, answer } }) => {
      await keep(ctx, await ctx.people.completeSecondFactor(challenge, answer, ctx.caller))
    }),

  /** Begins to sign in with a passkey. */
  passkey: signInProcedure.mutation(({ ctx: { people, site } }) =>
    people.passkeys.signInOptions(site),
  ),

  signInWithPasskey: signInProcedure
    .input(z.strictObject({ ceremony: SealedToken, response: PasskeyAssertion }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await keep(ctx, await ctx.people.passkeys.signIn(input, ctx.caller))
    }),

  /** Returns the address at the provider to send the browser to. With an invitation's token, its account is linked. */
  signOn: procedure
    .input(SignOnInput)
    .output(z.strictObject({ url: z.url() }))
    .mutation(async ({ ctx, input: { page, link } }) => {
      // The link shows that it was given to somebody.
      const isInvited = link !== undefined && ctx.people.lookUpLink(link) !== undefined
      if (ctx.needsCode && !isInvited) throw new Refusal({ code: 'console_code_needed' })
      return await beginSignOn(ctx, page, { link })
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

  own: ownAccountRouter,
})

export type AccountRouter = typeof accountRouter

/** Keeps the session of a sign-in that is complete, and returns how far it is. */
async function signedIn(
  context: AccountContext,
  result: people.SignInResult,
): Promise<SignInResult> {
  if (result.kind === 'second_factor') return { ...result, methods: [...result.methods] }
  await keep(context, result)
  return { kind: 'signed_in' }
}

/** Whoever signed in here has just confirmed who they are; at the identity provider, it may have been long ago. */
async function keep(
  context: AccountContext,
  { token, session, browser }: people.SignedIn,
): Promise<void> {
  await context.people.confirmations.note(session)
  context.keep({ token, expiresAt: session.expiresAt })
  context.keepKnown(browser)
}
