import type { CatalogStore } from '../../catalog/store.ts'
import type { Notes } from './areas.ts'
import { catalogReads } from './catalog.ts'
import { CatalogChangeReader } from './catalog-changes.ts'
import { isFirstOffer } from './releases.ts'
import type { Closing, StoredPart } from './stored-part.ts'

/** The catalog in a database. Rejects with `StorageError`, besides the refusals of its interface. */
export function catalogStore(part: StoredPart): Closing<CatalogStore> {
  const changes = new CatalogChangeReader()
  return {
    ...catalogReads(part.committed),
    transact: (work, options) => part.transact('catalog', work, options),
    async changesSince(revision) {
      // Nearly always nothing has changed.
      if ((await part.revision()) === revision) return null
      return await part.committed.atOnce((now) => changes.read(now, revision))
    },
    watch: (listener) => part.watch(listener),
    async offerFirst(releaseId, seenRevision, options) {
      // Every process learns late that a release was offered: most find that out without a lock.
      if (!(await isFirstOffer(part.committed, releaseId, seenRevision))) return false
      const offer = (notes: Notes) => notes.offerFirst(releaseId, seenRevision)
      return await part.transact('notes', offer, options)
    },
    async recordKeyUse(uses) {
      if (uses.length > 0) await part.transact('notes', (notes) => notes.keysUsed(uses))
    },
    close: () => part.close(),
  }
}
