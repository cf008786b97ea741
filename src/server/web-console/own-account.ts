import { z } from 'zod'
import { NewPassword } from '../../shared/console/account.ts'
import {
  OwnAccount,
  OwnSession,
  RecoveryCodes,
  TotpEnrolment,
} from '../../shared/console/own-account.ts'
import { PersonId } from '../../shared/console/people.ts'
import { PasskeyRegistration } from '../../shared/passkey.ts'
import { ownProcedure, router, Token } from './account-context.ts'
import { actorOf } from './principal.ts'

const Password = z.string().max(1_024)
const Confirmed = z.strictObject({ password: Password })

/** What people do with their own accounts. Changes of how they sign in are confirmed with the password. */
export const ownAccountRouter = router({
  get: ownProcedure.output(OwnAccount).query(({ ctx: { session } }) => {
    const { name, hasPassword, secondFactors, recoveryCodesLeft, passkeys } = session.account
    const twoFactor = secondFactors.length > 0
    return { name, hasPassword, twoFactor, recoveryCodesLeft, passkeys: [...passkeys] }
  }),

  changePassword: ownProcedure
    .input(z.strictObject({ current: Password, next: NewPassword }))
    .output(z.void())
    .mutation(({ ctx: { people, session, caller }, input }) =>
      people.changePassword(session, input, caller),
    ),

  beginTotp: ownProcedure
    .output(TotpEnrolment)
    .mutation(({ ctx: { people, session } }) => people.own.beginTotp(session)),

  confirmTotp: ownProcedure
    .input(z.strictObject({ enrolment: Token, code: z.string().max(20), password: Password }))
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
        ceremony: Token,
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
