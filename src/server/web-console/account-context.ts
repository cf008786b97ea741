import { initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { OutOfContact, Refusal } from '../catalog/errors.ts'
import { formatCallError } from '../console/errors.ts'
import { guarded } from '../console/guarded.ts'
import type { Notifications } from '../outbound/outbox/notifications.ts'
import type * as people from '../people/account.ts'
import type { Site } from '../people/factors/passkey-ceremony.ts'
import type { People } from '../people/people.ts'
import type { CallRepeat, RepeatedCalls } from '../runtime/async/repeated-calls.ts'
import type { Contact } from '../use-cases/contact.ts'
import type { HoldBack } from './hold-back.ts'
import { principalOf } from './principal.ts'

export interface AccountContext {
  readonly people: People
  readonly notifications: Notifications
  readonly contact: Contact
  readonly holdBack: HoldBack
  readonly caller: people.Caller
  /** Where the page is, for passkeys. */
  readonly site: Site
  /** The session that the request carries; undefined for a stranger. */
  readonly session: people.Session | undefined
  /** How the page names a change of the own account, so that it can be repeated. */
  readonly repeat: CallRepeat | null
  readonly repeats: RepeatedCalls
  /** Whether the browser has to show first that it is on this computer: see `consoleCode`. */
  readonly needsCode: boolean
  /** Keeps the code in the browser, if it is right; returns whether it is. */
  enterCode(code: string): boolean
  /** Keeps a sealed sign-in at the identity provider in the browser. */
  keepSignOn(roundTrip: string): void
  /** Keeps in the browser that somebody has signed in from it; null keeps what it has. */
  keepKnown(browser: string | null): void
  /** Gives the browser a session, or takes it away. */
  keep(session: { readonly token: string; readonly expiresAt: string } | null): void
}

const trpc = initTRPC
  .context<AccountContext>()
  .create({ errorFormatter: formatCallError, isDev: false })

export const { router } = trpc

export const procedure = trpc.procedure.use(
  async ({ ctx, path, type, next, getRawInput: input }) => {
    const { contact, session, holdBack, repeat, repeats } = ctx
    const held = async () => {
      const result = await next()
      const isStranger = session === undefined
      if (!result.ok && isStranger && isLimited(result.error.cause)) await holdBack.wait()
      return result
    }
    const call = { path, type, next: held, contact }
    if (session === undefined) return await guarded(call)
    const principal = principalOf(session, ctx.caller)
    return await guarded({ ...call, input, principal, repeat, repeats })
  },
)

/** A procedure that leads to a session, for a browser that may. */
export const signInProcedure = procedure.use(({ ctx: { needsCode }, next }) => {
  if (needsCode) throw new Refusal({ code: 'console_code_needed' })
  return next()
})

/** A procedure for those who are signed in. */
export const ownProcedure = procedure.use(({ ctx, next }) => {
  const { session } = ctx
  if (session === undefined) throw unauthenticated()
  return next({ ctx: { ...ctx, session } })
})

/** What a page or a command was given to keep. */
export const SealedToken = z.string().min(1).max(2_000)

/** A token that a page was given. */
export const Token = z.string().min(1).max(100)

/** The address of the page, beside which the identity provider sends the browser back. */
export const PageAddress = z.url().max(2_000)

function isLimited(cause: unknown): boolean {
  return cause instanceof Refusal && cause.kind === 'limited'
}

/** The error of who is not signed in. */
export function unauthenticated(): TRPCError {
  return new TRPCError({ code: 'UNAUTHORIZED', cause: new Refusal({ code: 'sign_in_needed' }) })
}

/** Throws the error of a server that may not say who is signed in: a session can have been ended elsewhere. */
export function requireContact({ api }: { readonly api: { readonly contact: Contact } }): void {
  if (api.contact.mayServe()) return
  throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause: new OutOfContact() })
}
