import type { CatalogListener } from '../../catalog/store.ts'

/** Milliseconds between checks for changes. */
const INTERVAL = 100

/**
 * Checks for changes of a store by this and other processes until the returned function is called. SQLite
 * does not notify of commits, so `revision`, which returns the committed one, must be cheap. `notify`, for a
 * database that does: calls what it is given after commits, until the function that it returns is called.
 */
export function watchRevision(
  revision: () => number,
  listener: CatalogListener,
  notify: (look: () => void) => () => void = () => () => {},
): () => void {
  let announced: number | undefined
  let isFailing = false
  let isLooking = false

  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const current = revision()
      if (current !== announced) await listener.onChange()
      announced = current
      isFailing = false
    } catch (error) {
      if (!isFailing) listener.onFailure(error)
      isFailing = true
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), INTERVAL).unref()
  const stop = notify(() => void look())
  return () => {
    clearInterval(timer)
    stop()
  }
}
