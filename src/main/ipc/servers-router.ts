import { z } from 'zod'
import {
  AddOutcome,
  Fingerprint,
  RemoteServer,
  RemoteSignIn,
  ServerToAdd,
} from '../../shared/console/remote-servers.ts'
import { procedure, router } from './shell-context.ts'

const { id, name, color } = RemoteServer.shape
const AccountName = z.string().min(1).max(256)
/** The code of a console for its own computer only; null for none. */
const Code = z.string().max(100).nullable()
const SecondFactorAnswer = z.union([
  z.strictObject({ totp: z.string().max(20) }),
  z.strictObject({ recoveryCode: z.string().max(40) }),
])

/** The servers that the desktop app connects to beside its own, as `shell.servers.*`. */
export const serversRouter = router({
  /** Begins with the servers as they are. */
  view: procedure.subscription(({ ctx, signal }) => ctx.servers.followView(signal)),
  /** Whether sessions are stored, encrypted by the system; else they end with the app. */
  keepsSessions: procedure.output(z.boolean()).query(({ ctx }) => ctx.servers.keepsSessions()),
  /** Adds a server, or returns what the person has to decide first. */
  add: procedure
    .input(ServerToAdd)
    .output(AddOutcome)
    .mutation(({ ctx, input }) => ctx.servers.add(input)),
  edit: procedure
    .input(z.strictObject({ id, name, color }))
    .output(z.void())
    .mutation(({ ctx, input: { id, ...change } }) => ctx.servers.edit(id, change)),
  remove: procedure
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.remove(input.id)),
  /** Loads the page anew, on the other server; null for the app's own. */
  use: procedure
    .input(z.strictObject({ id: id.nullable() }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.use(input.id)),
  /** Accepts another certificate from now on, and ends the session. */
  trust: procedure
    .input(z.strictObject({ id, fingerprint: Fingerprint }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.trust(input.id, input.fingerprint)),
  signIn: procedure
    .input(z.strictObject({ id, name: AccountName, password: z.string().max(1_024), code: Code }))
    .output(RemoteSignIn)
    .mutation(({ ctx, input }) =>
      ctx.servers.signIn(input.id, input.name, input.password, input.code),
    ),
  completeSignIn: procedure
    .input(
      z.strictObject({
        id,
        name: AccountName,
        challenge: z.string().min(1).max(100),
        answer: SecondFactorAnswer,
      }),
    )
    .output(RemoteSignIn)
    .mutation(({ ctx, input }) =>
      ctx.servers.completeSignIn(input.id, input.name, input.challenge, input.answer),
    ),
  signOut: procedure
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.signOut(input.id)),
})
