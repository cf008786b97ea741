import { basename } from 'node:path'
import type { ServerProcessConfig, StartFailure } from '../../shared/console/server-process.ts'
import { StorageError, storageEngine } from '../storage/open-storage.ts'

/** Puts what `Server.start` threw into words for the person at the machine: what happened, what to do. */
export function startFailure(
  error: unknown,
  { dataFolder, host, port, tls }: ServerProcessConfig,
): { readonly reason: StartFailure; readonly message: string } {
  if (error instanceof StorageError) {
    if (error.code === 'locked') return { reason: 'folder_in_use', message: lockedBy(dataFolder) }
    if (error.code === 'not_a_database' || error.code === 'foreign_database') {
      const message = `The file ${basename(storageEngine({ dataFolder }).location)} in ${dataFolder} is no database of Tidegate. Move it elsewhere, and try again.`
      return { reason: 'other', message }
    }
    const reason = error.code === 'newer_database' ? 'newer_database' : 'other'
    return { reason, message: error.message }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (tls !== undefined && isTlsFailure(error, tls)) {
    const fix = 'Choose a certificate and the key that belongs to it, or serve without TLS.'
    return { reason: 'tls', message: `The certificate cannot be used (${message}). ${fix}` }
  }
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return {
        reason: 'port_in_use',
        message: `Port ${port} of ${host} is in use by another program. Stop that program, or let Tidegate use another port.`,
      }
    case 'EACCES':
      return {
        reason: 'address',
        message: `This account may not listen on port ${port} of ${host}. Choose a port above 1023.`,
      }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        reason: 'address',
        message: `${host} is not an address of this machine. Choose one that is: 127.0.0.1 for this machine alone, 0.0.0.0 for all its networks.`,
      }
    default:
      return {
        reason: 'other',
        message: `The server could not start: ${message}. Fix that and try again.`,
      }
  }
}

/** Reading the two files failed, or OpenSSL refuses what is in them. */
function isTlsFailure(error: unknown, tls: NonNullable<ServerProcessConfig['tls']>): boolean {
  if (String(codeOf(error)).startsWith('ERR_OSSL')) return true
  const path = error instanceof Error && 'path' in error ? error.path : undefined
  return path === tls.certFile || path === tls.keyFile
}

function lockedBy(dataFolder: string): string {
  const holder = storageEngine({ dataFolder }).holder()
  const address = holder?.address == null ? '' : ` at ${holder.address}`
  const who = holder === undefined ? 'another program' : `process ${holder.pid}${address}`
  return `The data folder ${dataFolder} is in use by ${who}. Stop that, and try again.`
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
