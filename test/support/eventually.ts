import { vi } from 'vitest'
import { beginWait, callSite, endWait } from './report/waiting.ts'

/** Milliseconds after which a condition is given up. What is waited for takes less than a second. */
const TIMEOUT = 120_000
const INTERVAL = 5
/** Looks without a pause beyond the interval. */
const PROMPT = 8
const LONGEST_PAUSE = 100

// As it is before a test replaces the timers.
const { setTimeout } = globalThis

/** Waits until `check` throws nothing. Fails with the last error. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const site = callSite(eventually)
  const wait = { last: 'no result yet' }
  beginWait(wait, () => `eventually at ${site()}: ${wait.last}`)
  const noted = async () => {
    try {
      return await check()
    } catch (error) {
      wait.last = firstLine(error)
      throw error
    }
  }
  try {
    return await vi.waitFor(moreAndMoreRarely(noted), { timeout: TIMEOUT, interval: INTERVAL })
  } catch (error) {
    throw withSite(error, site)
  } finally {
    endWait(wait)
  }
}

/** Waits until `ask` answers something, and returns the answer. An error of `ask` fails at once. */
export async function eventualValue<T>(
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const site = callSite(eventualValue)
  const wait = {}
  beginWait(wait, () => `eventualValue at ${site()}: no value yet`)
  try {
    const answered = await vi.waitUntil(
      moreAndMoreRarely(async () => {
        const value = await ask()
        return value === undefined ? undefined : { value }
      }),
      { timeout: TIMEOUT, interval: INTERVAL },
    )
    return answered.value
  } catch (error) {
    throw withSite(error, site)
  } finally {
    endWait(wait)
  }
}

/** What comes late is asked for rarely: what is asked runs on the same computer as what it waits for. */
function moreAndMoreRarely<T>(look: () => Promise<T>): () => Promise<T> {
  let looks = 0
  return async () => {
    looks += 1
    const pause = Math.min(INTERVAL * (looks - PROMPT), LONGEST_PAUSE)
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    return await look()
  }
}

/** Its stack may begin in a helper, or in the timer that gave up. */
function withSite(error: unknown, site: () => string): unknown {
  if (error instanceof Error) error.message += `\nIt was waited for at ${site()}.`
  return error
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? ''
}
