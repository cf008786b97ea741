import type { StorageErrorCode, StorageProblem } from '../../../shared/operation/storage-problem.ts'

/** Temporary causes: the same request can succeed later. */
const TEMPORARY: ReadonlySet<StorageErrorCode> = new Set([
  'missing',
  'busy',
  'full',
  'unwritable',
  'unopenable',
  'io',
  'unreachable',
])

type ProblemInput = Pick<StorageProblem, 'code' | 'file' | 'circumstance'> &
  Partial<Pick<StorageProblem, 'detail'>>

/**
 * A failure of the storage. Its message is for developers; sentences for people are made of
 * `problem`.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly problem: StorageProblem

  constructor({ detail = null, ...problem }: ProblemInput, options?: ErrorOptions) {
    const reported = detail === null ? '' : ` (${detail})`
    super(`${problem.code}: ${problem.file}${reported}`, options)
    this.problem = { ...problem, detail }
  }

  get code(): StorageErrorCode {
    return this.problem.code
  }

  /** Whether the same request can succeed later. */
  get isTemporary(): boolean {
    return TEMPORARY.has(this.code)
  }
}

/** Returns the error of any use of a transaction that has ended. `file`: the place of the data, as in every problem. */
export function transactionEnded(file: string): StorageError {
  return new StorageError({ code: 'closed', file, detail: 'the transaction has ended' })
}

/** Returns the error of any use of a closed store. */
export function storeClosed(file: string): StorageError {
  return new StorageError({ code: 'closed', file, detail: 'the store is closed' })
}
