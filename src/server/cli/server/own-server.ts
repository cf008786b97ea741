import { placeOf } from '../../storage/interface/database-url.ts'
import type { StorageConfig, StorageEngine } from '../../storage/interface/engine.ts'
import { storageEngine } from '../../storage/open-storage.ts'
import { ServerNotRunning } from './remote-errors.ts'

export interface OwnServer {
  /** As this computer reaches it. */
  readonly address: string
  readonly statusToken: string | null
}

/** Returns the server that holds a storage. Rejects with `ServerNotRunning`. */
export async function ownServer(config: StorageConfig): Promise<OwnServer> {
  const holder = await storageEngine(config).holder()
  if (!holder?.address) throw new ServerNotRunning(placeOf(config))
  return { address: reachableHere(holder.address), statusToken: holder.statusToken }
}

/** Returns the origin at which this computer reaches a server: listening on all interfaces is no address to connect to. */
export function reachableHere(address: string): string {
  const url = new URL(address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  return url.origin
}

/** Returns the console's local address of the server on the storage; null if none runs. */
export async function localConsole(engine: Pick<StorageEngine, 'holder'>): Promise<string | null> {
  const address = (await engine.holder())?.address ?? null
  if (address === null) return null
  return `${address.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')}/console/`
}
