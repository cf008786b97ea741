// @module-tag long

import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { databaseOf } from '../support/servers/engine.ts'
import { fuzz } from './fuzz.ts'

/** `npm run fuzz` sends more. */
const REQUESTS = 1_200
/** Characters shown of a failing request. */
const SHOWN = 2_000
/** Constant, so that a failure comes from a change of the code. `FUZZ_SEED` sets another seed. */
const SEED = Number(process.env.FUZZ_SEED ?? 11)

test('a server that is fuzzed answers as it is described, and keeps what it promised', async () => {
  const folder = temporaryFolder()
  const { failures, aftermath, statuses } = await fuzz({
    ...{ folder, database: await databaseOf(folder) },
    seed: SEED,
    requests: REQUESTS,
  })
  const again = `npm run fuzz -- --requests ${REQUESTS} --seed ${SEED}`
  expect(
    failures.map(({ issues, sent }) => [...issues, sent.slice(0, SHOWN)].join('\n')),
    again,
  ).toEqual([])
  expect(aftermath, again).toEqual([])
  // If no request reached a rule, the run would prove nothing.
  for (const status of [200, 201, 204, 400, 401, 403, 404, 409]) {
    expect(statuses.get(status) ?? 0, `answers with ${status}, seed ${SEED}`).toBeGreaterThan(0)
  }
}, 180_000)
