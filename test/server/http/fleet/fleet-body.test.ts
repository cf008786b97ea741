import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isPlainDecisionItem, isPlainReportItem } from '../../../../src/server/http/fleet/fleet.ts'
import { DecisionItem, ReportItem } from '../../../../src/shared/devices/fleet.ts'

test('plain items are exactly those that the schema accepts unchanged', () => {
  const text = fc.constantFrom(
    ...['1.0.0', 'v1.0.0', '1.0', '1.0.0+01', '1.0.0-rc.1+7', 'linux', 'Linux', 'a b', '', '-'],
    ...['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(129), 'é', '\n', 'one\n', 'linux\n', '1.0.0\n'],
  )
  const anything = fc.oneof(text, fc.constantFrom<unknown>(undefined, null, 1, {}, ['x']))
  const items = fc.record(
    {
      ...{ deviceId: anything, version: anything, platform: anything, arch: anything },
      ...{ bundle: anything, labels: anything },
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(items, (drawn) => {
      for (const [isPlain, schema] of [
        [isPlainDecisionItem, DecisionItem],
        // A report has no bundle, so that a member of that name is ignored.
        [isPlainReportItem, ReportItem.extend({ bundle: z.unknown().optional() })],
      ] as const) {
        if (!isPlain(drawn)) continue
        const { labels: _labels, ...rest } = drawn
        expect(schema.parse(drawn)).toEqual(rest)
      }
    }),
    { numRuns: 3_000 },
  )
})
