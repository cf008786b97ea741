import type { CatalogWrites } from '../../catalog/store.ts'
import type { OutboxWrites } from '../../outbox/store.ts'
import type { PeopleWrites, SessionUse } from '../../people/store.ts'
import { outboxWrites } from './outbox.ts'
import { peopleWrites, setSessionsUsed } from './people.ts'
import type { TransactionScope } from './scope.ts'

/** What can be called inside a transaction: the catalog, the people and the outbox share one. */
export interface Areas {
  readonly catalog: CatalogWrites
  readonly people: PeopleWrites
  readonly outbox: OutboxWrites
  readonly notes: Notes
}

/** What is noted beside the changes, and raises no revision. */
export interface Notes {
  sessionsUsed(uses: readonly SessionUse[]): Promise<void>
}

export type AreasBeside = Omit<Areas, 'catalog'>

/** Everything but the catalog, which has an implementation for each engine. */
export function areasOf(scope: TransactionScope): AreasBeside {
  const outbox = outboxWrites(scope.of('outbox'))
  return {
    people: operations(scope, peopleWrites(scope.of('people'), outbox)),
    outbox: operations(scope, outbox),
    notes: operations<Notes>(scope, {
      sessionsUsed: (uses) => setSessionsUsed(scope.quiet, uses),
    }),
  }
}

/** Returns an area with each method as an operation of the scope. */
function operations<Area extends object>(scope: TransactionScope, area: Area): Area {
  const methods = Object.entries(area).map(([name, method]) => [
    name,
    (...args: readonly unknown[]) => scope.operate(() => method(...args)),
  ])
  return Object.fromEntries(methods)
}
