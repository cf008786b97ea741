import { expect, test } from 'vitest'
import { isOffer } from '../../../../../src/server/fleet/check-in.ts'
import { SOURCES } from '../../../../../src/server/fleet/facts.ts'
import { kindOf, readKind } from '../../../../../src/server/storage/fleet/ingest/check-in-kind.ts'
import { DecisionReason } from '../../../../../src/shared/manifest.ts'

const REASONS = [null, ...DecisionReason.options]
const ALL = SOURCES.flatMap((source) => REASONS.map((reason) => ({ source, reason })))

test('source and outcome read back from the stored number', () => {
  const kinds = ALL.map(({ source, reason }) => kindOf(source, reason))
  expect(new Set(kinds).size).toBe(ALL.length)
  expect(kinds.map(readKind)).toEqual(ALL)
})

test('numbers that are stored already keep their meaning', () => {
  expect(kindOf('check', 'update')).toBe(1)
  expect(kindOf('check', 'up_to_date')).toBe(3)
  expect(kindOf('decision', 'rollback')).toBe(18)
  expect(kindOf('report', null)).toBe(32)
})

test('updates and rollbacks are offers, nothing else is', () => {
  expect(REASONS.filter(isOffer)).toEqual(['update', 'rollback'])
})
