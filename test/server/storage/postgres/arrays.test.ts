// @module-tag postgresql

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { integers, texts } from '../../../../src/server/storage/postgres/connection/arrays.ts'
import { PostgresDatabase } from '../../../../src/server/storage/postgres/connection/database.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = new PostgresDatabase(await freshDatabase({ prepared: false }), 1)
})
afterAll(() => database?.close())

async function received(numbers: readonly number[]): Promise<number[]> {
  const rows = await database.rows<{ number: number }>(
    'SELECT unnest($1::bigint[]) AS number, cardinality($1::bigint[])',
    [integers(numbers, (number) => number)],
  )
  return rows.map(({ number }) => number)
}

test('integers arrive as they were sent', async () => {
  const limits = [0, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), 2 ** 53 - 1, 1 - 2 ** 53]
  expect(await received(limits)).toEqual(limits)
  expect(await received([])).toEqual([])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.maxSafeInteger()), async (numbers) => {
      expect(await received(numbers)).toEqual(numbers)
    }),
    { numRuns: 50 },
  )
})

test('a number that is no integer is refused before it is sent', () => {
  for (const number of [0.5, Number.NaN, 2 ** 53]) {
    expect(() => integers([number], (item) => item)).toThrow(RangeError)
  }
})

test('texts arrive as they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: codePoint })), async (sent) => {
      const rows = await database.rows<{ text: string }>('SELECT unnest($1::text[]) AS text', [
        texts(sent, (text) => text),
      ])
      expect(rows.map(({ text }) => text)).toEqual(sent)
    }),
    { numRuns: 50 },
  )
})
