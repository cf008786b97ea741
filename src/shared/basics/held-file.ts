/** How often Windows is asked again, and after how many milliseconds each time: for a second in all. */
const TRIES = 20
const PAUSE = 50
const HELD: readonly string[] = ['EPERM', 'EBUSY', 'EACCES']

/**
 * Does something to a file that has to be there or not as one step, such as replacing it. Windows refuses that while another
 * program, such as a virus scanner, has the file open, so it is tried again there. Blocks the thread for up to a second:
 * for callers between whose steps nothing may come. `platform`: of Node.js. Throws the error of the file system.
 */
export function whileHeldSync(platform: string, attempt: () => void): void {
  for (let left = TRIES; ; left -= 1) {
    try {
      attempt()
      return
    } catch (error) {
      if (left === 0 || !isHeld(platform, error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}

/** Does the same without blocking. Rejects with the error of the file system. */
export async function whileHeld<Result>(
  platform: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isHeld(platform, error)) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}

function isHeld(platform: string, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return platform === 'win32' && HELD.includes(code)
}
