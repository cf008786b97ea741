import { HttpClient } from '../../../remote/http-client.ts'
import { RemoteCalls } from '../../../remote/remote-calls.ts'
import { placeOf } from '../../storage/interface/database-url.ts'
import { UsageError } from '../command/errors.ts'
import { storageOf } from '../data/storage-config.ts'
import { text } from '../strings/server.ts'
import { type CommandServer, commandServer } from './calls.ts'
import { readCredentials } from './credentials.ts'
import { keyCalls } from './key-calls.ts'
import { endpointOf, keyOf, requireEncryption, type ServerOptions } from './options.ts'
import { PROGRAM } from './program-name.ts'
import { NotSignedIn, ServerUnreachable } from './remote-errors.ts'

/** Path of the procedures that the command line calls for a person. */
const COMMANDS = '/console/command-line/api'

/** Runs `work` on the server that the options choose, local or remote. Throws `Failure` without a database, and `NotSignedIn`. */
export async function withServer<T>(
  options: ServerOptions,
  work: (server: CommandServer) => Promise<T>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const { server: url } = options
  if (url !== undefined) {
    if (create) throw new UsageError(text.initIsLocal)
    return await withRemote(url, options, work)
  }
  const { withStorage } = await import('./session.ts')
  const { LocalCalls } = await import('./local-calls.ts')
  const onStorage: Parameters<typeof withStorage<T>>[1] = async (parts) => {
    const storage = storageOf(options)
    const folder = storage.database === undefined ? storage.dataFolder : undefined
    const calls = new LocalCalls({ ...parts, place: placeOf(storage), folder })
    try {
      return await work(commandServer(calls))
    } finally {
      await calls.close()
    }
  }
  return await withStorage(options, onStorage, { create })
}

async function withRemote<T>(
  url: string,
  options: ServerOptions,
  work: (server: CommandServer) => Promise<T>,
): Promise<T> {
  requireEncryption(url, options)
  const remembered = readCredentials(url)
  const key = keyOf(options)
  if (key === undefined && remembered === undefined) throw new NotSignedIn(url)
  const endpoint = endpointOf(url, options.fingerprint ?? remembered?.fingerprint ?? null)
  const http = new HttpClient(endpoint)
  try {
    if (key !== undefined) return await work(commandServer(keyCalls({ http, url, key })))
    const sender = { kind: 'program', name: PROGRAM, token: remembered?.token } as const
    const calls = new RemoteCalls({ http, url: `${url}${COMMANDS}`, sender: () => sender })
    return await work(commandServer(calls))
  } catch (error) {
    throw ServerUnreachable.of(url, error)
  } finally {
    http.close()
  }
}
