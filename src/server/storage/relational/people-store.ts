import type { PeopleStore } from '../../people/store.ts'
import { peopleState } from './people.ts'
import type { Closing, StoredPart } from './stored-part.ts'

/** Accounts and sessions in a database. Rejects with `StorageError`, besides the refusals of its interface. */
export function peopleStore(part: StoredPart): Closing<PeopleStore> {
  return {
    transact: (work) => part.transact('people', work),
    async stateUnless(revision) {
      if ((await part.revision()) === revision) return null
      return await part.committed.atOnce(peopleState)
    },
    watch: (listener) => part.watch(listener),
    async recordSessionUse(uses) {
      if (uses.length > 0) await part.transact('notes', (notes) => notes.sessionsUsed(uses))
    },
    close: () => part.close(),
  }
}
