/** A subscription that runs. */
interface Subscription {
  unsubscribe(): void
}

/**
 * Subscribes, and subscribes again `pause` milliseconds after the subscription ended. `subscribe` calls
 * `onEnd` when it ends. Returns what ends it for good.
 */
export function keepSubscribed(
  subscribe: (onEnd: () => void) => Subscription,
  pause: number,
): () => void {
  let subscription: Subscription | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    subscription = subscribe(() => {
      timer = setTimeout(start, pause)
    })
  }
  start()
  return () => {
    clearTimeout(timer)
    subscription?.unsubscribe()
  }
}
