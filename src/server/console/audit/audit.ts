import type { z } from 'zod'
import {
  AuditFilter,
  AuditListInput,
  AuditPage,
  type ExportPiece,
  MAX_EXPORT_ENTRIES,
} from '../../../shared/console/audit.ts'
import { MAX_SAVED_CHARACTERS } from '../../../shared/console/desktop/shell.ts'
import type { AuditRecord, AuditFilter as StoredFilter } from '../../catalog/audit-log.ts'
import { Refusal } from '../../catalog/errors.ts'
import { auditScope } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'
import { BYTE_ORDER_MARK, csv } from '../csv.ts'
import { by, procedure, router } from '../trpc.ts'
import { walkDown } from './audit-counts.ts'

/** The screen of the audit log: the part of it that the caller sees. */
export const auditRoutes = router({
  list: procedure.input(AuditListInput).output(AuditPage).query(by(listAudit)),

  export: procedure.input(AuditFilter).subscription(async function* ({ ctx, input, signal }) {
    const scope = auditScope(await ctx.catalog.refresh(), ctx.principal)
    const work = () => exportAudit(ctx, { ...input, scope }, signal)
    yield* ctx.exports.follow(ctx.principal, signal, work)
  }),
})

/** Returns a page of the matching entries. Takes longer the longer the log is, but never blocks the thread. */
async function listAudit(
  { catalog, auditCounts, principal }: ConsoleContext,
  { before, perPage, ...input }: z.output<typeof AuditListInput>,
): Promise<z.output<typeof AuditPage>> {
  const { store } = catalog
  const filter = { ...input, scope: auditScope(await catalog.refresh(), principal) }
  const last = await store.lastAuditId()
  const through = before === undefined ? last : Math.min(before - 1, last)
  const found: AuditRecord[] = []
  // One more than is shown, to know whether there is another page.
  const wanted = perPage + 1
  for await (const span of walkDown({ above: 0, through })) {
    found.push(...(await store.auditIn(filter, span, wanted - found.length)))
    if (found.length === wanted) break
  }
  const entries = found.slice(0, perPage)
  return {
    entries,
    total: await auditCounts.upTo(last, filter),
    next: found.length === wanted ? (entries.at(-1)?.id ?? null) : null,
  }
}

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

/** Yields the entries as CSV (UTF-8, with headings, latest first), until `signal`. Throws `invalid` for more than a file holds. */
export async function* exportAudit(
  { catalog, auditCounts }: Pick<ConsoleContext, 'catalog' | 'auditCounts'>,
  filter: StoredFilter,
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
