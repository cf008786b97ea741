import { notifications } from '@mantine/notifications'
import { useCallback, useEffect, useRef, useState } from 'react'
import { queryClient } from '../../bridge/query-client.ts'
import { announce, announceFailure } from './announce.ts'

/** Longest time in milliseconds that a finished change waits until the screen shows it. */
const REFRESH = 3_000

interface Options<Input, Output> {
  /** Returns what is announced when it is done; left out, or undefined, where the screen itself shows it. */
  readonly done?: string | ((output: Output, input: Input) => string | undefined) | undefined
  /** Title of the announcement if it fails after the screen was left: `Editor was not renamed`. */
  readonly failed: string | ((input: Input) => string)
  /** Called with the answer, unless the person has left the screen meanwhile. */
  readonly onAnswer?: ((output: Output) => void) | undefined
  /** Called when the screen shows the change, unless it was left meanwhile. */
  readonly onDone?: ((output: Output) => void) | undefined
  /**
   * Whether inputs are sent one after the other, without waiting until the screen shows each. Otherwise an
   * input is ignored while another one is being sent.
   */
  readonly inTurn?: boolean
  /** Whether what failed is announced although its screen is there: the screen has no place for `error`. */
  readonly announcesFailure?: boolean
}

/** A change that a person makes, and how far it is. */
export interface Change<Input> {
  readonly isPending: boolean
  /** What the last attempt failed with. */
  readonly error: unknown
  /** Sends it; does nothing while it is being sent, unless changes are sent in turn. */
  readonly send: (input: Input) => void
  /** Forgets the error. */
  readonly reset: () => void
}

/**
 * Sends a change once at a time and reports its outcome wherever the person is by then: what is done is announced,
 * what failed is shown as `error` or, if the screen was left, announced.
 */
export function useChange<Input, Output>(
  call: (input: Input) => Promise<Output>,
  options: Options<Input, Output>,
): Change<Input> {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const sending = useRef(false)
  const waiting = useRef<Input[]>([])
  /** The announcement of the last failure: the next attempt ends it. */
  const announced = useRef<string>(undefined)
  const isThere = useIsThere()
  const latest = useRef(options)
  latest.current = options

  const send = async (input: Input, isNext = false) => {
    if (sending.current) {
      if (latest.current.inTurn) waiting.current.push(input)
      return
    }
    sending.current = true
    setPending(true)
    const sentFrom = window.location.hash
    // What was deleted can leave the screen before the answer arrives; that is not the person who left it.
    const isHere = () => isThere() || window.location.hash === sentFrom
    // What failed before it in turn stays on the screen.
    if (!isNext) {
      setError(null)
      if (announced.current !== undefined) notifications.hide(announced.current)
    }
    try {
      const output = await call(input)
      const { done } = latest.current
      const message = typeof done === 'function' ? done(output, input) : done
      if (message !== undefined) announce(message)
      if (isHere()) latest.current.onAnswer?.(output)
      const isShown = refreshed()
      if (!latest.current.inTurn) await isShown
      if (isThere()) latest.current.onDone?.(output)
    } catch (failure) {
      if (isThere() && latest.current.announcesFailure !== true) setError(failure)
      else {
        const { failed } = latest.current
        const title = typeof failed === 'function' ? failed(input) : failed
        announced.current = announceFailure(title, failure)
      }
    } finally {
      sending.current = false
      setPending(false)
    }
    const next = waiting.current.shift()
    if (next !== undefined) await send(next, true)
  }
  const reset = useCallback(() => setError(null), [])
  return { isPending, error, send: (input) => void send(input), reset }
}

/** Returns a function that tells whether the component is still on the screen. */
function useIsThere(): () => boolean {
  const there = useRef(true)
  useEffect(() => {
    there.current = true
    return () => {
      there.current = false
    }
  }, [])
  return useCallback(() => there.current, [])
}

/** Resolves when everything that is shown was asked for again, or takes too long. Never rejects. */
async function refreshed(): Promise<void> {
  await Promise.race([
    queryClient.invalidateQueries(),
    new Promise((resolve) => setTimeout(resolve, REFRESH)),
  ])
}
