import type { AuditEntry } from '../../../catalog/audit-log.ts'
import type { CatalogStore } from '../../../catalog/store.ts'
import { appendAudit } from '../../relational/audit-log.ts'
import { catalogStore } from '../../relational/catalog-store.ts'
import type { Closing } from '../../relational/stored-part.ts'
import type { PostgresPart } from '../transactions/postgres-part.ts'

const SET_RECORDED = 'UPDATE uploads SET recorded = true WHERE id = @id AND NOT recorded'

export interface PostgresCatalogStore extends Closing<CatalogStore> {
  /** Appends the entry of an upload to the audit log, unless the upload has one. */
  recordUpload(id: string, entry: AuditEntry): Promise<void>
}

/** The catalog in PostgreSQL, whose uploads all nodes know. */
export function postgresCatalogStore(part: PostgresPart): PostgresCatalogStore {
  return {
    ...catalogStore(part),
    recordUpload: (id, entry) =>
      part.transactions.run((scope) =>
        scope.operate(async () => {
          if ((await scope.quiet.run(SET_RECORDED, { id })) === 0) return
          await appendAudit(scope.of('catalog'), entry)
        }),
      ),
  }
}
