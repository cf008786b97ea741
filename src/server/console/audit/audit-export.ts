import { MAX_EXPORT_ENTRIES } from '../../../shared/console/audit.ts'
import type { ExportPiece } from '../../../shared/console/export.ts'
import { MAX_SAVED_CHARACTERS } from '../../../shared/console/shell.ts'
import type { AuditFilter, AuditRecord } from '../../catalog/audit-log.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ConsoleContext } from '../context.ts'
import { BYTE_ORDER_MARK, csv } from '../csv.ts'
import { walkDown } from './audit-walk.ts'

/** Characters that are sent at once, about. */
const PIECE = 64 * 1_024
/** Milliseconds between two pieces where little matches, so that the progress moves. */
const PROGRESS = 200

const COLUMNS = [
  'id',
  'at',
  'actorKind',
  'actor',
  'action',
  'app',
  'channel',
  'version',
  'before',
  'after',
  'address',
  'via',
  'keyPrefix',
]

/**
 * Yields the matching entries as CSV (UTF-8, a header row, latest first), in pieces. Ends when `signal`
 * is aborted. Throws `invalid` if they are more than one file holds.
 */
export async function* exportAudit(
  { catalog, auditCounts }: Pick<ConsoleContext, 'catalog' | 'auditCounts'>,
  filter: AuditFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportPiece, void> {
  const { store } = catalog
  const last = await store.lastAuditId()
  const total = await auditCounts.upTo(last, filter)
  if (total > MAX_EXPORT_ENTRIES) refuse(total)
  let text = BYTE_ORDER_MARK + csv([COLUMNS])
  let [done, written, sent] = [0, text.length, performance.now()]
  for await (const span of walkDown({ above: 0, through: last })) {
    if (signal?.aborted === true) return
    const entries = await store.auditIn(filter, span, MAX_EXPORT_ENTRIES)
    const rows = csv(entries.map(rowOf))
    text += rows
    done += entries.length
    written += rows.length
    if (written > MAX_SAVED_CHARACTERS) refuse(null)
    if (done === total) break
    if (text.length < PIECE && performance.now() - sent < PROGRESS) continue
    yield { text, done, total }
    text = ''
    sent = performance.now()
  }
  yield { text, done, total }
}

function refuse(entries: number | null): never {
  throw new Refusal({ code: 'export_too_large', entries, maximum: MAX_EXPORT_ENTRIES })
}

function rowOf({ id, at, actor, action, app, channel, version, before, after }: AuditRecord) {
  const [was, is] = [before, after].map((value) => (value === null ? '' : JSON.stringify(value)))
  return [
    id,
    at,
    actor.kind,
    actor.name,
    action,
    app,
    channel,
    version,
    was,
    is,
    actor.address ?? '',
    actor.via ?? '',
    actor.keyPrefix ?? '',
  ]
}
