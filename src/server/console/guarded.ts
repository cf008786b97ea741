import { TRPCError } from '@trpc/server'
import type { Contact } from '../use-cases/contact.ts'
import { refusedError } from './errors.ts'
import { type CallerSession, requireReach } from './reach.ts'

/** Changes whose result cannot be had again, such as a secret: it is returned although not every server knows it yet. */
const RETURNED_ANYWAY: ReadonlySet<string> = new Set([
  'keys.mint',
  'people.invite',
  'people.createLink',
  'webhooks.create',
  'webhooks.rotateSecret',
  'own.confirmTotp',
  'own.replaceRecoveryCodes',
  'acceptLink',
  'signIn',
  'completeSecondFactor',
  'signInWithPasskey',
  'poll',
])

interface Call<Result> {
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly next: () => Promise<Result>
  /** Undefined where no server runs. */
  readonly contact: Contact | undefined
  /** That reaches the procedure or does not, see `requireReach`; null where any does. */
  readonly session?: CallerSession | null
}

/**
 * Runs a procedure while the server may serve, and answers a change once every server has it. Throws the errors of tRPC for
 * `OutOfContact`, `not_confirmed`, what `requireReach` throws, and other refusals.
 */
export async function guarded<
  Result extends { readonly ok: true } | { readonly ok: false; readonly error: TRPCError },
>({ path, type, next, contact, session = null }: Call<Result>): Promise<Result> {
  await asCallError(() => contact?.require())
  await asCallError(() => requireReach(path, session))
  const result = await next()
  if (!result.ok) throw refusedError(result.error)
  if (contact === undefined || type === 'subscription') return result
  if (type === 'query') await asCallError(() => contact.require())
  else if (RETURNED_ANYWAY.has(path)) await contact.isConfirmed()
  else await asCallError(() => contact.requireConfirmed())
  return result
}

async function asCallError(check: () => void | Promise<void>): Promise<void> {
  try {
    await check()
  } catch (cause) {
    throw refusedError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }))
  }
}
