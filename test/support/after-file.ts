type CleanUp = () => unknown

let cleanUps: CleanUp[] = []

/**
 * Cleans up after the tests of the running file, later work first. A module of `test/support` is
 * loaded once for all files of a worker, so an `afterAll` of its own would run after the first alone.
 */
export function afterFile(cleanUp: CleanUp): void {
  cleanUps.push(cleanUp)
}

/** Runs what `afterFile` was given. Called by `setup.ts`. */
export async function cleanUpFile(): Promise<void> {
  const due = cleanUps.reverse()
  cleanUps = []
  for (const cleanUp of due) await cleanUp()
}
