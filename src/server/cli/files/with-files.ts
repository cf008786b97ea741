import { Agent } from 'node:https'
import { trustedAgent } from '../../../remote/trusted-socket.ts'
import { STATUS_TOKEN_HEADER } from '../../../shared/operation/readiness.ts'
import { placeOf } from '../../storage/interface/database-url.ts'
import { storageOf } from '../data/storage-config.ts'
import { readCredentials } from '../server/credentials.ts'
import { endpointOf, keyOf, requireEncryption, type ServerOptions } from '../server/options.ts'
import { ownServer } from '../server/own-server.ts'
import { PROGRAM } from '../server/program-name.ts'
import { NotSignedIn, ServerNotRunning, ServerUnreachable } from '../server/remote-errors.ts'
import { FileClient, type FileClientParts } from './file-client.ts'

/** Runs `work` on the files of the chosen server. Throws `ServerNotRunning`, `NotSignedIn` and `ServerUnreachable`. */
export async function withFiles<T>(
  options: ServerOptions,
  work: (files: FileClient) => Promise<T>,
): Promise<T> {
  const { server } = options
  const parts = server === undefined ? await localParts(options) : remoteParts(server, options)
  try {
    return await work(new FileClient(parts))
  } catch (error) {
    throw ServerUnreachable.of(new URL(parts.base).origin, error)
  } finally {
    parts.agent?.destroy()
  }
}

/** With any certificate: the token is worth nothing but to the run of the server that has noted it. */
async function localParts(options: ServerOptions): Promise<FileClientParts> {
  const config = storageOf(options)
  const { address, statusToken } = await ownServer(config)
  if (statusToken === null) throw new ServerNotRunning(placeOf(config))
  const isTls = address.startsWith('https:')
  return {
    base: `${address}/api/v1`,
    agent: isTls ? new Agent({ rejectUnauthorized: false }) : undefined,
    headers: { [STATUS_TOKEN_HEADER]: statusToken },
  }
}

function remoteParts(server: string, options: ServerOptions): FileClientParts {
  requireEncryption(server, options)
  const remembered = readCredentials(server)
  const key = keyOf(options)
  const token = key ?? remembered?.token
  if (token === undefined) throw new NotSignedIn(server)
  return {
    base: key === undefined ? `${server}/console/command-line` : `${server}/api/v1`,
    agent: trustedAgent(endpointOf(server, options.fingerprint ?? remembered?.fingerprint ?? null)),
    headers: { 'User-Agent': PROGRAM, Authorization: `Bearer ${token}` },
  }
}
