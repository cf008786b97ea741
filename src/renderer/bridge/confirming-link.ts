import type { TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { ConfirmationMethod } from '../../shared/access/person.ts'
import { consoleErrorOf } from './error.ts'

/** Asks the person to confirm that it is them. Resolves to whether they did. */
type AskToConfirm = (methods: readonly ConfirmationMethod[]) => Promise<boolean>

let ask: AskToConfirm | undefined
/** Calls that are sent together need one confirmation. */
let asking: Promise<boolean> | undefined

/** Sets who asks, until the function that it returns is called. */
export function confirmWith(next: AskToConfirm): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/**
 * A tRPC link that has the person confirm where the server asks for it, and repeats the call then: it is on its way
 * meanwhile, so that what was typed for it stays. Who does not confirm gets the refusal.
 */
export function confirmingLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let isOver = false
        const send = () =>
          next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error: (error) => {
              const { refusal } = consoleErrorOf(error)
              if (refusal?.code !== 'confirmation_needed' || refusal.methods.length === 0) {
                observer.error(error)
                return
              }
              void confirmed(refusal.methods).then((isConfirmed) => {
                if (isOver) return
                if (isConfirmed) sent = send()
                else observer.error(error)
              })
            },
          })
        let sent = send()
        return () => {
          isOver = true
          sent.unsubscribe()
        }
      })
}

async function confirmed(methods: readonly ConfirmationMethod[]): Promise<boolean> {
  asking ??= (ask?.(methods) ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return await asking
}
