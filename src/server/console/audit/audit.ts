import type { z } from 'zod'
import { AuditFilter, AuditListInput, AuditPage } from '../../../shared/console/audit.ts'
import type { AuditRecord } from '../../catalog/audit-log.ts'
import { auditScope } from '../../use-cases/manage/audit-scope.ts'
import type { ConsoleContext } from '../context.ts'
import { by } from '../resolvers.ts'
import { procedure, router } from '../trpc.ts'
import { exportAudit } from './audit-export.ts'
import { walkDown } from './audit-walk.ts'

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
