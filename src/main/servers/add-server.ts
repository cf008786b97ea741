import { randomUUID } from 'node:crypto'
import { readAddress } from '../../remote/address.ts'
import { CertificateError, ConnectionError } from '../../remote/connection-error.ts'
import {
  type AddOutcome,
  MAX_REMOTE_SERVERS,
  type ServerToAdd,
} from '../../shared/console/desktop/remote-servers.ts'
import { RemoteAccount } from './remote-account.ts'
import type { ServerList } from './server-list.ts'

/** Adds a server to the list once it answers, and its certificate is trusted or the one that the person compared. */
export async function addServer(
  list: ServerList,
  { address, name, color, pin, allowPlainHttp }: ServerToAdd,
): Promise<AddOutcome> {
  const read = readAddress(address)
  if (read === undefined) return { outcome: 'invalid_address' }
  const isKnown = () => list.servers.some(({ address: known }) => known === read.url)
  if (isKnown()) return { outcome: 'already_added' }
  if (list.servers.length >= MAX_REMOTE_SERVERS) return { outcome: 'too_many' }
  if (!read.isEncrypted && !read.isLoopback && !allowPlainHttp) return { outcome: 'plain_http' }
  const endpoint = { url: read.url, pin: read.isEncrypted ? pin : null }
  try {
    await new RemoteAccount(endpoint).check()
  } catch (error) {
    return failedAddition(error)
  }
  // Added twice while the server answered.
  if (isKnown()) return { outcome: 'already_added' }
  const id = randomUUID()
  const added = { id, name, color, address: read.url, pin: endpoint.pin }
  list.add({ ...added, session: null, browser: null, savedDeviceFilters: [] })
  return { outcome: 'added', id }
}

function failedAddition(error: unknown): AddOutcome {
  if (error instanceof CertificateError) {
    const { presented, failure } = error
    return { outcome: 'untrusted', fingerprint: presented, reason: failure.detail }
  }
  if (error instanceof ConnectionError) return { outcome: 'failed', failure: error.failure }
  throw error
}
