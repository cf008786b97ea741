import type { StorageErrorCode } from '../../../../shared/operation/storage-problem.ts'
import { StorageError } from '../../interface/storage-error.ts'

/** Returns anything that was thrown by the driver as a `StorageError`. `location`: see `locationOf`. */
export function storageError(error: unknown, location: string): StorageError {
  if (error instanceof StorageError) return error
  const detail = error instanceof Error ? messageOf(error) : String(error)
  const circumstance = { kind: 'database_server' } as const
  return new StorageError(
    { code: kindOf(error), file: location, detail, circumstance },
    { cause: error },
  )
}

/** The write would create a duplicate. */
export function isUniqueBreach(error: unknown): boolean {
  return sqlStateOf(error) === '23505'
}

/** A constraint or a trigger of the schema refuses the write. */
export function isConstraintBreach(error: unknown): boolean {
  return /^(23|P0001)/.test(sqlStateOf(error))
}

/** Two transactions waited for each other, or one saw what another changed: the same work can succeed at once. */
export function isConflict(error: unknown): boolean {
  return /^40/.test(sqlStateOf(error))
}

/** The driver gave up on a statement: the connection may never answer again. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof StorageError) return isUnanswered(error.cause)
  return error instanceof Error && error.message === 'Query read timeout'
}

/**
 * The code that PostgreSQL gave an error (PostgreSQL documentation, appendix A: Error Codes), or Node; empty for none.
 * `error`: from the driver, or a `StorageError` of one.
 */
export function sqlStateOf(error: unknown): string {
  if (error instanceof StorageError) return sqlStateOf(error.cause)
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function kindOf(error: unknown): StorageErrorCode {
  const code = sqlStateOf(error)
  if (/^(55P03|40)/.test(code)) return 'busy'
  if (code === '53100') return 'full'
  if (/^(25006|42501)/.test(code)) return 'unwritable'
  if (/^(28|3D)/.test(code)) return 'unopenable'
  if (/^(XX001|XX002)/.test(code)) return 'corrupt'
  if (/^(23|22|P0001)/.test(code)) return 'rejected'
  if (/^(08|53|57P|58)/.test(code) || /^E[A-Z]+$/.test(code)) return 'unreachable'
  // The driver has no codes for connections that end, and for timeouts of its own.
  return code === '' && error instanceof Error && LOST.test(error.message)
    ? 'unreachable'
    : 'failed'
}

const LOST = /connection|timeout|terminated|pool/i

/** Node gathers the attempts to reach a host in an error without a message. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map((each) => (each instanceof Error ? each.message : each)).join(', ')
  }
  return error.message
}
