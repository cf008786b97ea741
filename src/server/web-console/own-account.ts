import { z } from 'zod'
import { MailAddress, PasskeyAssertion, PasskeyRegistration } from '../../shared/access/person.ts'
import {
  LinkedIdentity,
  NewPassword,
  OwnAccount,
  OwnSession,
  RecoveryCodes,
  TotpEnrolment,
} from '../../shared/console/people/account.ts'
import { PersonId } from '../../shared/console/people/people.ts'
import { CodeRequest, TypedCode } from '../../shared/console/people/sign-in-codes.ts'
import { boundedCaller, personActor } from '../people/account.ts'
import { ownProcedure, PageAddress, router, SealedToken } from './account-context.ts'
import { ownNotificationsRouter } from './own-notifications.ts'
import { actorOf } from './principal.ts'
import { beginSignOn } from './sign-on.ts'

const Password = z.string().max(1_024)
const Confirmed = z.strictObject({ password: Password })

/** What people do with their own accounts. Changes of how they sign in are confirmed with the password. */
export const ownAccountRouter = router({
  notifications: ownNotificationsRouter,

  get: ownProcedure.output(OwnAccount).query(({ ctx: { session } }) => {
    const { name, email, hasPassword, secondFactors, recoveryCodesLeft } = session.account
    return {
      ...{ name, email, hasPassword, recoveryCodesLeft, twoFactor: secondFactors.length > 0 },
      passkeys: [...session.account.passkeys],
      identities: [...session.account.identities],
    }
  }),

  changePassword: ownProcedure
    .input(z.strictObject({ current: Password, next: NewPassword }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { people, session, caller } = ctx
      const { browser } = await people.own.changePassword(session, input, caller)
      ctx.keepKnown(browser)
    }),

  setEmail: ownProcedure
    .input(z.strictObject({ email: MailAddress.nullable(), seen: z.string().nullable() }))
    .output(z.strictObject({ email: z.string().nullable() }))
    .mutation(async ({ ctx: { people, session, caller }, input }) => {
      const { id, name } = session.account
      const { email } = await people.setEmail({ actor: personActor(name, caller) }, id, input)
      return { email }
    }),

  beginTotp: ownProcedure
    .output(TotpEnrolment)
    .mutation(({ ctx: { people, session } }) => people.own.beginTotp(session)),

  confirmTotp: ownProcedure
    .input(z.strictObject({ enrolment: SealedToken, code: z.string().max(20), password: Password }))
    .output(RecoveryCodes)
    .mutation(async ({ ctx: { people, session, caller }, input }) => {
      const { recoveryCodes } = await people.own.confirmTotp(session, input, caller)
      return { recoveryCodes: [...recoveryCodes] }
    }),

  disableTotp: ownProcedure
    .input(Confirmed)
    .output(z.void())
    .mutation(({ ctx: { people, session, caller }, input }) =>
      people.own.disableTotp(session, input.password, caller),
    ),

  replaceRecoveryCodes: ownProcedure
    .input(Confirmed)
    .output(RecoveryCodes)
    .mutation(async ({ ctx: { people, session, caller }, input }) => {
      const codes = await people.own.replaceRecoveryCodes(session, input.password, caller)
      return { recoveryCodes: [...codes.recoveryCodes] }
    }),

  beginPasskey: ownProcedure.mutation(({ ctx: { people, session, site } }) =>
    people.passkeys.registrationOptions(session, site),
  ),

  addPasskey: ownProcedure
    .input(
      z.strictObject({
        ceremony: SealedToken,
        response: PasskeyRegistration,
        name: z.string().max(256),
        password: Password,
      }),
    )
    .output(z.void())
    .mutation(({ ctx: { people, session, caller }, input }) =>
      people.passkeys.register(session, input, caller),
    ),

  removePasskey: ownProcedure
    .input(z.strictObject({ id: z.string().max(2_000), password: Password }))
    .output(z.void())
    .mutation(({ ctx: { people, session, caller }, input }) =>
      people.passkeys.remove(session, input, caller),
    ),

  /** What a code of the command line is about. */
  signInCode: ownProcedure
    .input(z.strictObject({ code: TypedCode }))
    .output(CodeRequest)
    .mutation(async ({ ctx: { people, session, caller }, input: { code } }) => {
      const request = await people.codes.find(session, code)
      return { ...request, isOwnAddress: request.address === boundedCaller(caller).address }
    }),

  /** Confirms or denies the sign-in of a command line. */
  decideSignInCode: ownProcedure
    .input(z.strictObject({ code: TypedCode, confirmed: z.boolean() }))
    .output(z.void())
    .mutation(({ ctx: { people, session }, input: { code, confirmed } }) =>
      people.codes.decide(session, code, confirmed),
    ),

  /** Begins to link the account at the identity provider. Returns the address there, which comes back as from a sign-in. */
  linkIdentity: ownProcedure
    .input(Confirmed.extend({ page: PageAddress }))
    .output(z.strictObject({ url: z.url() }))
    .mutation(({ ctx, input: { page, password } }) => {
      const { people, session, caller } = ctx
      const confirm = () => people.own.confirmPassword(session, password, 'password', caller)
      return beginSignOn(ctx, page, { session }, confirm)
    }),

  /** Whether the person has confirmed in the last ten minutes that it is them. */
  confirmed: ownProcedure
    .output(z.boolean())
    .query(({ ctx: { people, session } }) => people.confirmations.has(session)),

  /** Begins to confirm with a passkey. */
  beginConfirmation: ownProcedure.mutation(({ ctx: { people, session, site } }) =>
    people.passkeys.signInOptions(site, session),
  ),

  confirmWithPasskey: ownProcedure
    .input(z.strictObject({ ceremony: SealedToken, response: PasskeyAssertion }))
    .output(z.void())
    .mutation(({ ctx: { people, session, caller }, input }) =>
      people.passkeys.confirm(session, input, caller),
    ),

  /** Begins to confirm at the identity provider, with a new sign-in. Returns the address there. */
  confirmAtProvider: ownProcedure
    .input(z.strictObject({ page: PageAddress }))
    .output(z.strictObject({ url: z.url() }))
    .mutation(({ ctx, input: { page } }) =>
      beginSignOn(ctx, page, { session: ctx.session, sessionFor: 'confirming' }),
    ),

  unlinkIdentity: ownProcedure
    .input(Confirmed.extend({ identity: LinkedIdentity }))
    .output(z.void())
    .mutation(({ ctx: { people, session, caller }, input: { identity, password } }) =>
      people.own.unlinkIdentity(session, identity, password, caller),
    ),

  sessions: ownProcedure.output(z.array(OwnSession)).query(({ ctx: { people, session } }) =>
    people.sessionsOf(session.account.id).map(({ account, expiresAt, ...listed }) => ({
      ...listed,
      isCurrent: listed.id === session.id,
    })),
  ),

  /** Ends one of one's own sessions; does nothing if it has ended. */
  endSession: ownProcedure
    .input(z.strictObject({ id: PersonId }))
    .output(z.void())
    .mutation(async ({ ctx: { people, session, caller }, input: { id } }) => {
      const { account } = session
      if (!people.sessionsOf(account.id).some((own) => own.id === id)) return
      await people.endSession({ actor: actorOf(session, caller), accountId: account.id }, id)
    }),

  endOtherSessions: ownProcedure
    .output(z.strictObject({ ended: z.int() }))
    .mutation(async ({ ctx: { people, session, caller } }) => {
      const by = { actor: actorOf(session, caller), accountId: session.account.id }
      return { ended: await people.endOtherSessions(by, session) }
    }),
})
