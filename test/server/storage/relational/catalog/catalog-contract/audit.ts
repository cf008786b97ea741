import { describe, expect, test } from 'vitest'
import { AT, auditEntry, type CatalogSubject } from './subject.ts'

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

    test('filters of the audit log are exact, and a search ignores the case of ASCII only', async () => {
      const entry = auditEntry({ before: null, after: 'Zürich 50%' })
      await catalog.store.transact(async (tx) => {
        await tx.appendAudit({ ...entry, action: 'change_request.proposed', channel: 'beta' })
        await tx.appendAudit({ ...entry, action: 'change-request.proposed', channel: 'beta' })
        await tx.appendAudit({ ...entry, app: null })
      })
      const span = { above: 0, through: await catalog.store.lastAuditId() }
      const count = (filter: object) => catalog.store.countAudit(filter, span)
      expect(await count({ actionGroup: 'change_request' })).toBe(1)
      expect(await count({ scope: { groups: ['change_request', 'release'] } })).toBe(2)
      expect(await count({ scope: { apps: [{ ref: 'editor', since: AT }] } })).toBe(2)
      expect(await count({ scope: { apps: [{ ref: 'editor', since: '2027' }] } })).toBe(0)
      expect(await count({ from: AT, to: AT })).toBe(0)
      expect(await count({ actorKind: 'console', app: 'editor', channel: 'beta' })).toBe(2)
      expect(await count({ search: 'zürICH 50%' })).toBe(3)
      expect(await count({ search: 'ZÜRICH' })).toBe(0)
      expect(await count({ search: '_' })).toBe(1)
      const place = { app: 'editor', channel: 'beta', version: null }
      expect(await catalog.store.auditOf(place, 9)).toMatchObject([
        { action: 'change-request.proposed' },
      ])
    })
  })
}
