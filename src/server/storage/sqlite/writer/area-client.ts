import { transactionEnded } from '../../interface/closed.ts'
import type { Areas } from '../../relational/areas.ts'
import type { TransactionRunner } from './transaction-runner.ts'

/** An area of the transaction that the work of `transact` gets. */
export interface AreaClient<Area extends keyof Areas> {
  readonly area: Areas[Area]
  /** Ends it: every later read and write rejects with `StorageError`, `closed`. */
  end(): void
}

/** Returns an area that passes each call to the runner. `file`: the database, for errors. */
export function areaClient<Area extends keyof Areas>(
  area: Area,
  runner: TransactionRunner,
  file: string,
): AreaClient<Area> {
  let isEnded = false
  const call = async (name: string, args: readonly unknown[]) => {
    if (isEnded) throw transactionEnded(file)
    return await runner.call(area, name, args)
  }
  const methods = new Proxy(Object.create(null), {
    // Whoever awaits the area asks it for `then`.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (...args: readonly unknown[]) => call(name, args),
  })
  return {
    area: methods,
    end: () => {
      isEnded = true
    },
  }
}
