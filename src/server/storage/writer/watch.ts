import type { CatalogListener } from '../../catalog/store.ts'

/** Milliseconds between two looks for changes. */
const INTERVAL = 100

/**
 * Looks for changes of a store, of this and of other processes, until the function that it
 * returns is called. `revision`: the committed one, cheap, because SQLite has no notification of commits.
 */
export function watchRevision(revision: () => number, listener: CatalogListener): () => void {
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
  return () => clearInterval(timer)
}
