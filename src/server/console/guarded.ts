import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { Refusal } from '../catalog/errors.ts'
import { type CallRepeat, type RepeatedCalls, sizeAsJson } from '../runtime/async/repeated-calls.ts'
import type { Contact } from '../use-cases/contact.ts'
import { type Principal, whoIs } from '../use-cases/principal.ts'
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
  /** What names a change, so that it is carried out once; left out where none is repeated. */
  readonly input?: () => Promise<unknown>
  readonly principal?: Principal
  readonly repeat?: CallRepeat | null | undefined
  readonly repeats?: RepeatedCalls | undefined
}

/** Runs a procedure while the server may serve, and answers a change once every server has it. Throws tRPC's errors. */
export async function guarded<
  Result extends
    | { readonly ok: true; readonly data: unknown }
    | { readonly ok: false; readonly error: TRPCError },
>(call: Call<Result>): Promise<Result> {
  const { path, type, contact, session = null } = call
  await asCallError(() => contact?.require())
  await asCallError(() => requireReach(path, session))
  const result = await runOnce(call)
  if (!result.ok) throw refusedError(result.error)
  if (contact === undefined || type === 'subscription') return result
  if (type === 'query') await asCallError(() => contact.require())
  else if (RETURNED_ANYWAY.has(path)) await contact.isConfirmed()
  else await asCallError(() => contact.requireConfirmed())
  return result
}

/** Runs a change that has a name only once, also if its answers are lost; everything else each time. */
async function runOnce<
  Result extends
    | { readonly ok: true; readonly data: unknown }
    | { readonly ok: false; readonly error: TRPCError },
>({ path, type, input, next, principal, repeat, repeats }: Call<Result>): Promise<Result> {
  const isNamed = type === 'mutation' && repeat !== undefined && repeat !== null
  if (!isNamed || principal === undefined || repeats === undefined) return await next()
  const content = hash('sha256', JSON.stringify([path, await input?.()]), 'base64')
  const named = { who: whoIs(principal), content, ...repeat }
  const found = await repeats.run(
    named,
    next,
    // What may pass by itself is tried again.
    (result) => {
      if (!result.ok) return result.error.cause instanceof Refusal ? 0 : null
      return sizeAsJson(result.data)
    },
  )
  if (typeof found === 'object') return found.outcome
  const code = found === 'unknown' ? 'outcome_unknown' : 'idempotency_key_reused'
  throw refusedError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: new Refusal({ code }) }))
}

async function asCallError(check: () => void | Promise<void>): Promise<void> {
  try {
    await check()
  } catch (cause) {
    throw refusedError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }))
  }
}
