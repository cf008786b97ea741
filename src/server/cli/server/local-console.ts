import type { StorageEngine } from '../../storage/interface/engine.ts'

/**
 * Returns the address of the console for this computer, if a server runs on the storage: one that listens on all
 * interfaces has no name of its own. Null if none runs.
 */
export async function localConsole(engine: Pick<StorageEngine, 'holder'>): Promise<string | null> {
  const address = (await engine.holder())?.address ?? null
  if (address === null) return null
  return `${address.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')}/console/`
}
