import { TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { useSyncExternalStore } from 'react'
import { refusedCall } from '../../shared/console/bridge/bridge.ts'
import { ConsoleError, isUnanswered } from './error.ts'
import { listeners } from './listeners.ts'

/** Milliseconds until a call counts as unanswered. A change is asked for again then: a slow one is joined, not made twice. */
const LIMITS = { mutation: 15_000, query: 20_000 }
/** Milliseconds until what became of a change is asked for again, after so many attempts. */
const PAUSES = [500, 1_000, 2_000, 5_000]
/** Most changes of which it is not known what became of them. */
const MAX_UNKNOWN = 50

/** How a change is named in the context of its call, see `CALL_KEY_HEADER`. */
export interface NamedCall {
  readonly key: string
  /** Milliseconds since the first attempt; undefined for that. */
  readonly age: number | undefined
}

interface Unknown {
  readonly key: string
  readonly since: number
}

/** Changes that are under way, or of which no answer came, by what they are: the same change again has the same name. */
const unknown = new Map<string, Unknown>()
/** What ends the wait for each change of which it is being found out what became of it. */
const checking = new Set<() => void>()
const { listen, tell } = listeners()

/** Returns whether it is being found out what became of a change. */
export function useIsChecking(): boolean {
  return useSyncExternalStore(listen, () => checking.size > 0)
}

/** How many dialogs say so of their change. */
let saying = 0

/** Returns whether that is to be said beside the screen: no dialog says it. */
export function useIsCheckingUnsaid(): boolean {
  return useSyncExternalStore(listen, () => checking.size > 0 && saying === 0)
}

/** Has nothing else say it until the function that it returns is called. */
export function sayChecking(): () => void {
  const add = (count: number) => {
    saying += count
    tell()
  }
  add(1)
  return () => add(-1)
}

/** Lets the person go on: what is being found out fails with `outcome_unknown`. */
export function stopWaiting(): void {
  for (const end of [...checking]) end()
}

/**
 * A tRPC link that bounds the time of every call, and finds out what became of a change whose answer is late or lost: it
 * calls again under the same name, which the server carries out once. `canRepeat`: whether the way to the server has names;
 * where it has none, a late answer is only waited for.
 */
export function repeatingLink<Router extends AnyTRPCRouter>(
  canRepeat: () => boolean,
  limits = LIMITS,
): TRPCLink<Router> {
  return (runtime) =>
    ({ op, next }) => {
      if (op.type !== 'mutation') return limitedLink<Router>(limits)(runtime)({ op, next })
      return observable((observer) => {
        const content = JSON.stringify([op.path, op.input])
        const before = unknown.get(content)
        const call = before ?? { key: newKey(), since: Date.now() }
        remember(content, call)
        let attempts = before === undefined ? 0 : 1
        let timer: ReturnType<typeof setTimeout> | undefined
        let sent: { unsubscribe(): void } | undefined
        const end = () => {
          clearTimeout(timer)
          sent?.unsubscribe()
          setChecking(giveUp, false)
        }
        const giveUp = () => {
          end()
          observer.error(errorOf<Router>(ConsoleError.of(refusedCall({ code: 'outcome_unknown' }))))
        }
        const checkLater = () => {
          setChecking(giveUp, true)
          if (!canRepeat()) return
          clearTimeout(timer)
          sent?.unsubscribe()
          timer = setTimeout(send, PAUSES[Math.min(attempts, PAUSES.length) - 1])
        }
        const send = () => {
          const age = attempts === 0 ? undefined : Date.now() - call.since
          attempts += 1
          timer = setTimeout(checkLater, limits.mutation)
          const named = { ...op, context: { ...op.context, named: { key: call.key, age } } }
          sent = next(named).subscribe({
            next: (value) => {
              unknown.delete(content)
              observer.next(value)
            },
            complete: () => {
              end()
              observer.complete()
            },
            error: (error) => {
              if (canRepeat() && isUnanswered(error)) return checkLater()
              end()
              unknown.delete(content)
              observer.error(error)
            },
          })
        }
        send()
        return end
      })
    }
}

/** A tRPC link that bounds the time of every call. One that takes longer fails, and may have been carried out all the same. */
export function limitedLink<Router extends AnyTRPCRouter>(limits = LIMITS): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      op.type === 'subscription' ? next(op) : limited(() => next(op), limits[op.type])
}

/** Fails a call that takes longer than `limit` milliseconds. */
function limited<Router extends AnyTRPCRouter>(
  call: () => ReturnType<ReturnType<TRPCLink<Router>>>,
  limit: number,
): ReturnType<ReturnType<TRPCLink<Router>>> {
  return observable((observer) => {
    const sent = call().subscribe({
      next: (value) => observer.next(value),
      complete: () => {
        clearTimeout(timer)
        observer.complete()
      },
      error: (error) => {
        clearTimeout(timer)
        observer.error(error)
      },
    })
    const timer = setTimeout(() => {
      sent.unsubscribe()
      const late = ConsoleError.of({ code: 'unavailable', reason: 'no_answer' })
      observer.error(errorOf<Router>(late))
    }, limit)
    return () => {
      clearTimeout(timer)
      sent.unsubscribe()
    }
  })
}

/** Returns a name that no other page has; a page without TLS has no `randomUUID`. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

function remember(content: string, call: Unknown): void {
  unknown.set(content, call)
  const [oldest] = unknown.keys()
  if (unknown.size > MAX_UNKNOWN && oldest !== undefined) unknown.delete(oldest)
}

function setChecking(end: () => void, isChecking: boolean): void {
  if (checking.has(end) === isChecking) return
  if (isChecking) checking.add(end)
  else checking.delete(end)
  tell()
}

function errorOf<Router extends AnyTRPCRouter>(cause: ConsoleError): TRPCClientError<Router> {
  return new TRPCClientError<Router>(cause.message, { cause })
}
