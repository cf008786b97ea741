import { describe, expect, test } from 'vitest'
import { auditEntry, type CatalogSubject } from './subject.ts'

/** The audit log. */
export function auditContract(catalog: CatalogSubject): void {
  describe('audit log', () => {
    test('the audit log answers the newest first, in pages', async () => {
      await catalog.store.transact(async (tx) => {
        for (let index = 0; index < 5; index++) {
          await tx.appendAudit(auditEntry({ before: null, after: { index, text: '✨\ud800' } }))
        }
      })
      const first = await catalog.store.audit({ limit: 2 })
      expect(first.map(({ after }) => after)).toEqual([
        { index: 4, text: '✨\ud800' },
        { index: 3, text: '✨\ud800' },
      ])
      const rest = await catalog.store.audit({ limit: 9, before: first[1]?.id ?? 0 })
      expect(rest.map((entry) => entry.after)).toMatchObject([
        { index: 2 },
        { index: 1 },
        { index: 0 },
      ])
      expect(rest[0]).toEqual({
        ...auditEntry({ before: null, after: rest[0]?.after }),
        id: rest[0]?.id,
      })
    })

    test('the audit log returns the entries of one release, newest first', async () => {
      const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
      await catalog.store.transact(async (tx) => {
        for (const version of ['1.0.0', '2.0.0', '1.0.0', '1.0.0']) {
          const entry = auditEntry({ before: null, after: version })
          await tx.appendAudit({ ...entry, ...place, version })
        }
        await tx.appendAudit({ ...auditEntry({ before: 1, after: 2 }), ...place, app: 'player' })
      })
      const [newest, before, ...others] = await catalog.store.auditOf(place, 2)
      expect(others).toEqual([])
      expect(newest).toMatchObject(place)
      expect(newest?.id).toBeGreaterThan(before?.id ?? Number.POSITIVE_INFINITY)
      expect(await catalog.store.auditOf(place, 9)).toHaveLength(3)
    })

    test('a span of the audit log contains its matching entries', async () => {
      await catalog.store.transact(async (tx) => {
        for (let index = 0; index < 9; index++) {
          const entry = auditEntry({ before: null, after: { index } })
          await tx.appendAudit({ ...entry, app: index % 3 === 0 ? 'player' : 'editor' })
        }
      })
      const last = await catalog.store.lastAuditId()
      const span = { above: last - 6, through: last - 1 }
      const indexes = async (filter: object, limit = 99) =>
        (await catalog.store.auditIn(filter, span, limit)).map(({ after }) => after)
      expect(await indexes({})).toEqual([7, 6, 5, 4, 3].map((index) => ({ index })))
      expect(await indexes({ app: 'player' })).toEqual([{ index: 6 }, { index: 3 }])
      expect(await indexes({ app: 'player' }, 1)).toEqual([{ index: 6 }])
      expect(await catalog.store.countAudit({ app: 'player' }, span)).toBe(2)
      expect(await catalog.store.countAudit({ search: '"INDEX":5' }, span)).toBe(1)
    })
  })
}
