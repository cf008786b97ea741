import type { ServerProcessConfig } from '../../shared/console/server-process.ts'
import { listenFailure, type StartFailure } from '../../shared/start-failure.ts'
import { StorageError } from '../storage/interface/storage-error.ts'

/** Returns the facts of what `Server.start` threw. */
export function startFailure(error: unknown, config: ServerProcessConfig): StartFailure {
  if (error instanceof StorageError) return { code: 'storage', problem: error.problem }
  const detail = error instanceof Error ? error.message : String(error)
  if (config.tls !== undefined && isTlsFailure(error, config.tls)) return { code: 'tls', detail }
  return listenFailure(error, config) ?? { code: 'other', detail }
}

/** Reading the two files failed, or OpenSSL refuses what is in them. */
function isTlsFailure(error: unknown, tls: NonNullable<ServerProcessConfig['tls']>): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && String(error.code).startsWith('ERR_OSSL')) return true
  return 'path' in error && (error.path === tls.certFile || error.path === tls.keyFile)
}
