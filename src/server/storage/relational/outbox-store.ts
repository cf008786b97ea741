import type { OutboxStore } from '../../outbox/store.ts'
import { outboxReads } from './outbox.ts'
import type { Closing, StoredPart } from './stored-part.ts'

/** Webhooks and deliveries in a database. Rejects with `StorageError`. */
export function outboxStore(part: StoredPart): Closing<OutboxStore> {
  return {
    ...outboxReads(part.committed),
    transact: (work, options) => part.transact('outbox', work, options),
    revision: () => part.newest(),
    close: () => part.close(),
  }
}
