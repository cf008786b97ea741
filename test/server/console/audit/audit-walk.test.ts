import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditSpan } from '../../../../src/server/catalog/audit-log.ts'
import { AuditCounts } from '../../../../src/server/console/audit/audit-counts.ts'
import { walkDown } from '../../../../src/server/console/audit/audit-walk.ts'

test('spans cover every id once, the newest first', async () => {
  const ids = fc.tuple(fc.nat(3_000), fc.nat(30_000))
  await fc.assert(
    fc.asyncProperty(ids, async ([above, length]) => {
      let top = above + length
      for await (const span of walkDown({ above, through: above + length })) {
        expect(span.through).toBe(top)
        expect(span.above).toBeLessThan(span.through)
        top = span.above
      }
      expect(top).toBe(above)
    }),
    { numRuns: 30 },
  )
})

test('other work of the thread runs between two spans', async () => {
  let turns = 0
  let spans = 0
  const beat = () => {
    turns += 1
    if (spans < 10) setImmediate(beat)
  }
  setImmediate(beat)
  for await (const _ of walkDown({ above: 0, through: 1_000_000 })) {
    spans += 1
    if (spans === 10) break
  }
  expect(turns).toBeGreaterThanOrEqual(9)
})

/** A log in which every id matches, and the spans that were counted of it. */
function counted() {
  const spans: AuditSpan[] = []
  const counts = new AuditCounts({
    countAudit: async (_, span) => {
      spans.push(span)
      return span.through - span.above
    },
  })
  return { spans, counts }
}

test('only new entries are counted', async () => {
  const { spans, counts } = counted()
  expect(await counts.upTo(700, { app: 'editor' })).toBe(700)
  spans.length = 0
  expect(await counts.upTo(700, { app: 'editor' })).toBe(700)
  expect(spans).toEqual([])
  expect(await counts.upTo(705, { app: 'editor' })).toBe(705)
  expect(spans).toEqual([{ above: 700, through: 705 }])
})

test('another filter is counted on its own, and an older moment from the start', async () => {
  const { spans, counts } = counted()
  await counts.upTo(700, { app: 'editor' })
  spans.length = 0
  await counts.upTo(10, { app: 'viewer' })
  expect(spans).toEqual([{ above: 0, through: 10 }])
  expect(await counts.upTo(20, { app: 'editor' })).toBe(20)
  spans.length = 0
  expect(await counts.upTo(700, { app: 'editor' })).toBe(700)
  expect(spans).toEqual([])
})
