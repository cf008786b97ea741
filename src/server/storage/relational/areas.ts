import type { CatalogWrites, KeyUse } from '../../catalog/store.ts'
import type { OutboxWrites } from '../../outbox/store.ts'
import type { PeopleWrites, SessionUse } from '../../people/store.ts'
import { catalogWrites } from './catalog.ts'
import { outboxWrites } from './outbox.ts'
import { peopleWrites, setSessionsUsed } from './people.ts'
import { setKeysUsed } from './records.ts'
import { offerFirst } from './releases.ts'
import type { TransactionScope } from './scope.ts'

/** What can be called inside a transaction: the catalog, the people and the outbox share one. */
export interface Areas {
  readonly catalog: CatalogWrites
  readonly people: PeopleWrites
  readonly outbox: OutboxWrites
  readonly notes: Notes
}

/** What is noted in passing: see the stores. Raises no revision, except for a first offer. */
export interface Notes {
  offerFirst(releaseId: string, seenRevision: number): Promise<boolean>
  keysUsed(uses: readonly KeyUse[]): Promise<void>
  sessionsUsed(uses: readonly SessionUse[]): Promise<void>
}

/** Returns the areas of a transaction, of which each method is an operation of its scope. */
export function areasOf(scope: TransactionScope): Areas {
  const outbox = outboxWrites(scope.of('outbox'))
  return {
    catalog: operations(scope, catalogWrites(scope.of('catalog'))),
    people: operations(scope, peopleWrites(scope.of('people'), outbox)),
    outbox: operations(scope, outbox),
    notes: operations<Notes>(scope, {
      offerFirst: (releaseId, seenRevision) => offerFirst(scope, releaseId, seenRevision),
      keysUsed: (uses) => setKeysUsed(scope.quiet, uses),
      sessionsUsed: (uses) => setSessionsUsed(scope.quiet, uses),
    }),
  }
}

function operations<Area extends object>(scope: TransactionScope, area: Area): Area {
  const methods = Object.entries(area).map(([name, method]) => [
    name,
    (...args: readonly unknown[]) => scope.operate(() => method(...args)),
  ])
  return Object.fromEntries(methods)
}
