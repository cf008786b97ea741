import { StorageError } from './storage-error.ts'

/** Returns the error of any use of a transaction that has ended. `file`: the place of the data, as in every problem. */
export function transactionEnded(file: string): StorageError {
  return new StorageError({ code: 'closed', file, detail: 'the transaction has ended' })
}

/** Returns the error of any use of a closed store. */
export function storeClosed(file: string): StorageError {
  return new StorageError({ code: 'closed', file, detail: 'the store is closed' })
}
