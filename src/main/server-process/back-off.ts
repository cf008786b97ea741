const FIRST_DELAY = 500
const LONGEST_DELAY = 30_000

/** Milliseconds to wait before the server is started again, after so many crashes in a row. */
export function restartDelay(crashes: number): number {
  return Math.min(FIRST_DELAY * 2 ** Math.max(crashes - 1, 0), LONGEST_DELAY)
}
