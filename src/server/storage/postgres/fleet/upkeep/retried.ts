import { setTimeout as delay } from 'node:timers/promises'
import { StorageError } from '../../../interface/storage-error.ts'

/** Attempts, and milliseconds before the second one; each later pause is twice as long. */
const ATTEMPTS = 8
const FIRST_PAUSE = 25

/**
 * Repeats work that gave up waiting for a lock or lost a conflict, up to 8 times within about 3 seconds of pauses. Rejects
 * with the last failure, and with any other failure at once. `work` must change nothing when it rejects.
 */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof StorageError && error.code === 'busy'
      if (!isBusy || attempt === ATTEMPTS) throw error
      await delay(FIRST_PAUSE * 2 ** (attempt - 1))
    }
  }
}
