import type { CheckReading } from '../../../shared/plans/gate-check.ts'
import type { SessionTallies } from '../../catalog/sessions/session-ledger.ts'
import type { CatalogWrites, KeyUse, PlanRevision } from '../../catalog/store.ts'
import type { OutboxWrites } from '../../outbound/outbox/store.ts'
import type { PeopleWrites, SessionUse } from '../../people/store.ts'
import { catalogWrites } from './catalog.ts'
import { outboxWrites } from './outbox.ts'
import { peopleWrites, setSessionsUsed } from './people.ts'
import { noteReadings } from './plans.ts'
import { setKeysUsed } from './records.ts'
import { offerFirst } from './releases.ts'
import type { TransactionScope } from './scope.ts'
import { addSessions } from './sessions.ts'

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
  sessionsCounted(tallies: SessionTallies): Promise<void>
  gateRead(plan: PlanRevision, readings: readonly CheckReading[]): Promise<void>
}

const WRITES: { readonly [Area in keyof Areas]: (scope: TransactionScope) => Areas[Area] } = {
  catalog: (scope) => catalogWrites(scope.of('catalog')),
  people: (scope) => peopleWrites(scope.of('people'), outboxWrites(scope.of('outbox'))),
  outbox: (scope) => outboxWrites(scope.of('outbox')),
  notes: (scope) => ({
    offerFirst: (releaseId, seenRevision) => offerFirst(scope, releaseId, seenRevision),
    keysUsed: (uses) => setKeysUsed(scope.quiet, uses),
    sessionsUsed: (uses) => setSessionsUsed(scope.quiet, uses),
    sessionsCounted: (tallies) => addSessions(scope.quiet, tallies),
    gateRead: (plan, readings) => noteReadings(scope.quiet, plan, readings),
  }),
}

/** Returns an area of a transaction, each method of which is an operation of its scope. */
export function areaOf<Area extends keyof Areas>(scope: TransactionScope, area: Area): Areas[Area] {
  return new Proxy(WRITES[area](scope), {
    get(writes, name) {
      const method: unknown = Reflect.get(writes, name)
      if (typeof method !== 'function') return undefined
      return (...args: readonly unknown[]) =>
        scope.operate(() => Reflect.apply(method, writes, args))
    },
  })
}
