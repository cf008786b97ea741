// @module-tag postgresql

import { expect, test } from 'vitest'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { postgresSignInState } from '../../../../../src/server/storage/postgres/people/sign-in-state.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import { signInStateContract } from '../../../people/sign-in-state.contract.ts'
import { open } from '../nodes/set-up.ts'

signInStateContract('the state of sign-ins in PostgreSQL, on two nodes', async () => {
  const url = await freshDatabase({ prepared: true })
  const [one, other] = [new PostgresDatabase(url), new PostgresDatabase(url)]
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  return { one: postgresSignInState(one), other: postgresSignInState(other), close }
})

const HOUR = 3_600_000
const WIDE = { name: 'wide', capacity: 10, period: HOUR }
const TIGHT = { name: 'tight', capacity: 1, period: HOUR }

async function rowsOf(database: PostgresDatabase, table: string): Promise<number> {
  const counted = await database.row<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)
  return counted?.count ?? 0
}

test('attempts that are refused or succeed leave no row', async () => {
  const database = await open()
  const { attempts } = postgresSignInState(database)
  const address = { limit: TIGHT, key: '192.0.2.7' }
  expect(await attempts.take([address])).toBe(0)
  for (const account of ['a', 'b', 'c']) {
    const retry = await attempts.take([{ limit: WIDE, key: account }, address])
    expect(retry).toBeGreaterThan(0)
  }
  expect(await rowsOf(database, 'sign_in_attempts')).toBe(1)
  await attempts.giveBack([address])
  expect(await rowsOf(database, 'sign_in_attempts')).toBe(0)
})

test('attempts are allowed again as time passes', async () => {
  const database = await open()
  const { attempts } = postgresSignInState(database)
  const counted = [{ limit: WIDE, key: 'mia' }]
  for (let n = 0; n < 10; n += 1) expect(await attempts.take(counted)).toBe(0)
  expect(await attempts.take(counted)).toBeGreaterThan(0)
  await database.run("UPDATE sign_in_attempts SET full_at = full_at - interval '12 minutes'")
  expect(await attempts.take(counted)).toBe(0)
  expect(await attempts.take(counted)).toBe(0)
  expect(await attempts.take(counted)).toBeGreaterThan(0)
})

test('entries that are over are deleted with the next, and names and values may be anything', async () => {
  const database = await open()
  const { entries } = postgresSignInState(database)
  await entries.add('old', { value: 'x', owner: 'mia', time: 0 })
  await entries.add('new', { value: 'a\u0000"ß', owner: 'mia', time: HOUR })
  expect(await rowsOf(database, 'sign_in_entries')).toBe(1)
  expect(await entries.replace('new', 'a\u0000"ß', 'b')).toBe(true)
})

test('nothing is counted, kept or found while the database does not answer', async () => {
  const proxy = await startTcpProxy((await open()).url)
  const { attempts, entries } = postgresSignInState(await open(proxy.url))
  proxy.cut()
  await expect(attempts.take([{ limit: WIDE, key: 'mia' }])).rejects.toMatchObject({
    name: 'StorageError',
  })
  await expect(entries.get('x')).rejects.toMatchObject({ name: 'StorageError' })
  await expect(entries.add('x', { value: '', owner: '', time: HOUR })).rejects.toMatchObject({
    name: 'StorageError',
  })
})
