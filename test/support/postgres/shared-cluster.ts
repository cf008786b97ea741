import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { migrate } from '../../../src/server/storage/postgres/migrations/migrate.ts'
import { type Cluster, SETTINGS, startCluster } from './cluster.ts'

/** Names the folder in which the processes of one run find the cluster that they share; see `run-folder.ts`. */
export const RUN_FOLDER = 'TIDEGATE_TEST_RUN'
const TEMPLATE = 'prepared'

/** The record of the shared cluster in the folder of the run. */
export function clusterFile(runFolder: string): string {
  return join(runFolder, 'cluster.json')
}

/**
 * Returns the connection URI of a new database. All tests of a run share one PostgreSQL server, which the first one that
 * needs it starts. `prepared`: with the current schema.
 */
export async function freshDatabase({ prepared = false } = {}): Promise<string> {
  const { url } = await sharedCluster()
  const name = `test_${randomBytes(8).toString('hex')}`
  await inPostgres(url('postgres'), async (client) => {
    await client.query(
      `CREATE DATABASE ${name}${prepared ? ` TEMPLATE ${TEMPLATE} STRATEGY file_copy` : ''}`,
    )
  })
  return url(name)
}

type Shared = Pick<Cluster, 'folder' | 'port' | 'url'>

async function sharedCluster(): Promise<Shared> {
  const run = process.env[RUN_FOLDER]
  if (run === undefined) throw new Error(`${RUN_FOLDER} is not set`)
  const file = clusterFile(run)
  if (isFirst(join(run, 'starting'))) await begin(file)
  while (!existsSync(file)) await delay(50)
  const { folder, port, failure } = JSON.parse(readFileSync(file, 'utf8'))
  if (failure !== undefined) throw new Error(failure)
  return { folder, port, url: (name) => `postgres://postgres@127.0.0.1:${port}/${name}` }
}

/** Starts the cluster and records it, or why it could not be started: others wait for the record. */
async function begin(file: string): Promise<void> {
  const record = (content: unknown) => {
    writeFileSync(`${file}.new`, JSON.stringify(content))
    renameSync(`${file}.new`, file)
  }
  let folder: string | undefined
  try {
    const cluster = await startCluster([...SETTINGS, '-c', 'autovacuum=off'])
    folder = cluster.folder
    await prepareTemplate(cluster.url)
    record({ folder, port: cluster.port })
  } catch (error) {
    record({ folder, failure: error instanceof Error ? error.message : String(error) })
  }
}

/** A database with the current schema, which takes long to make, and is then copied. */
async function prepareTemplate(url: Cluster['url']): Promise<void> {
  await inPostgres(url('postgres'), async (client) => {
    await client.query(`CREATE DATABASE ${TEMPLATE}`)
  })
  const database = new PostgresDatabase(url(TEMPLATE), 1)
  await migrate(database)
  await database.close()
}

/** Runs `work` on a connection of its own. */
export async function inPostgres(
  url: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}
