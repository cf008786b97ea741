import { expect, test } from 'vitest'
import { isOffer } from '../../../../../src/server/fleet/check-in.ts'
import { SOURCES } from '../../../../../src/server/fleet/facts.ts'
import { kindOf, readKind } from '../../../../../src/server/storage/shared/ingest/check-in-kind.ts'
import { Outcome } from '../../../../../src/shared/health.ts'
import { DecisionReason } from '../../../../../src/shared/manifest.ts'

const REASONS = [null, ...DecisionReason.options]
const ANSWERED = SOURCES.filter((source) => source !== 'outcome').flatMap((source) =>
  REASONS.map((reason) => ({ source, reason, outcome: null })),
)
const REPORTED = Outcome.options.map((outcome) => {
  return { source: 'outcome', reason: null, outcome } as const
})
const ALL = [...ANSWERED, ...REPORTED]

test('source and outcome read back from the stored number', () => {
  const kinds = ALL.map(({ source, reason, outcome }) =>
    kindOf(source, reason, outcome ?? undefined),
  )
  expect(new Set(kinds).size).toBe(ALL.length)
  expect(kinds.map(readKind)).toEqual(ALL)
})

test('numbers that are stored already keep their meaning', () => {
  expect(kindOf('check', 'update')).toBe(1)
  expect(kindOf('check', 'up_to_date')).toBe(3)
  expect(kindOf('decision', 'rollback')).toBe(18)
  expect(kindOf('report', null)).toBe(32)
  expect(kindOf('outcome', null, 'failed')).toBe(50)
})

test('updates and rollbacks are offers, nothing else is', () => {
  expect(REASONS.filter(isOffer)).toEqual(['update', 'rollback'])
})
