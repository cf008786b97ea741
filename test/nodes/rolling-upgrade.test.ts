import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { SCHEMA } from '../../src/server/storage/postgres/migrations/index.ts'
import { eventually } from '../support/eventually.ts'
import { expectExact } from '../support/postgres/recount.ts'
import { Load } from './support/load.ts'
import { type NodeSet, startNodes } from './support/nodes.ts'
import { publishAt, serveAt } from './support/releases.ts'

const LATER = pathToFileURL(join(import.meta.dirname, 'support/later-version.ts')).href

/** The variables that make `serve` a later version, whose migration the present one can live with or not. */
function laterVersion(kind: 'adds' | 'breaks'): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import ${LATER}`, TIDEGATE_TEST_MIGRATION: kind }
}

/** What the nodes that run know, lowest first. */
async function schemas({ database }: NodeSet): Promise<number[]> {
  const rows = await database.rows<{ schema: number }>(
    'SELECT schema FROM nodes JOIN leases ON node = id WHERE lease_until > clock_timestamp() ORDER BY 1',
  )
  return rows.map(({ schema }) => schema)
}

test('nodes are upgraded one after the other while all serve', async () => {
  const set = await startNodes(2)
  const [first, second] = set.nodes
  if (!first || !second) throw new Error('two nodes')
  const { key } = set
  const load = new Load(set, { writers: 2 })
  await publishAt(first, key, '2.0.0')
  await load.more(10)
  expect(await first.stop()).toBe(0)
  first.env = laterVersion('adds')
  await first.start()
  await first.healthy()
  expect(await schemas(set)).toEqual([SCHEMA, SCHEMA + 1])
  await publishAt(first, key, '2.1.0')
  await publishAt(second, key, '2.2.0')
  await eventually(() => expect(load.wasOffered('2.2.0')).toBe(true))
  const [at, again] = [
    await serveAt(first, key, '2.2.0', 'rolled_back'),
    await serveAt(second, key, '2.1.0', 'rolled_back'),
  ]
  await load.more(20)
  // A node of the version before is started again, too.
  await second.kill()
  await second.start()
  await second.healthy()
  await load.more(10)
  expect(await second.stop()).toBe(0)
  second.env = laterVersion('adds')
  await second.start()
  await second.healthy()
  // The lease of the one that was killed is over a little later.
  await eventually(async () => expect(await schemas(set)).toEqual([SCHEMA + 1, SCHEMA + 1]))
  await load.more(10)
  await load.stop()
  load.expectNotOffered('2.2.0', at)
  load.expectNotOffered('2.1.0', again)
  expect(await Promise.all(set.nodes.map((node) => node.stop()))).toEqual([0, 0])
  await load.expectStored(set.database)
  await expectExact(set.database)
})

test('a migration that nodes of the version before could not live with waits for their end', async () => {
  const set = await startNodes(2)
  const [first, second] = set.nodes
  if (!first || !second) throw new Error('two nodes')
  expect(await first.stop()).toBe(0)
  first.env = laterVersion('breaks')
  await expect(first.start()).rejects.toThrow('1 node of an older version is running')
  expect(await schemas(set)).toEqual([SCHEMA])
  await second.healthy()
  await second.kill()
  // It may still serve until its lease is over.
  await eventually(() => first.start())
  await first.healthy()
  await expect(second.start()).rejects.toThrow('newer')
  expect(await schemas(set)).toEqual([SCHEMA + 1])
})
