/**
 * Yields what `take` returns; when that is nothing, waits until it is woken. Ends when `signal` is aborted.
 * `listen` gets the function that wakes it, and returns what ends listening.
 */
export async function* pull<Value>(
  signal: AbortSignal | undefined,
  listen: (wake: () => void) => () => void,
  take: () => readonly Value[],
): AsyncGenerator<Value, void> {
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const endListening = listen(wake)
  signal?.addEventListener('abort', wake)
  try {
    while (signal?.aborted !== true) {
      const values = take()
      yield* values
      if (values.length > 0) continue
      await woken.promise
      woken = Promise.withResolvers()
    }
  } finally {
    signal?.removeEventListener('abort', wake)
    endListening()
  }
}
