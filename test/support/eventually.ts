import { vi } from 'vitest'

/** Milliseconds after which a condition is given up. What is waited for takes less than a second. */
const TIMEOUT = 40_000
const INTERVAL = 5

/** Waits until `check` throws nothing. Fails with the last error. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: TIMEOUT, interval: INTERVAL })
}

/** Waits until `ask` answers something, and returns the answer. An error of `ask` fails at once. */
export async function eventualValue<T>(
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const answered = await vi.waitUntil(
    async () => {
      const value = await ask()
      return value === undefined ? undefined : { value }
    },
    { timeout: TIMEOUT, interval: INTERVAL },
  )
  return answered.value
}
