import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { fillDisk, freeDisk, smallDisk } from '../../support/builders/small-disk.ts'
import { eventually } from '../../support/eventually.ts'
import { type Cluster, giveToServer, startStandby } from '../../support/postgres/cluster.ts'
import type { NodeSet } from './nodes.ts'

/** Begins a trouble of the database. Returns what ends it. */
export type Trouble = (set: NodeSet) => Promise<() => Promise<void>>

/** As a managed service does with a database that has used up its space. */
export const readOnly: Trouble = async ({ cluster }) => {
  const client = await connect(cluster.url('postgres'))
  await client.query('SET default_transaction_read_only = off')
  const set = async (value: 'on' | 'off') => {
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await client.query('SELECT pg_reload_conf()')
  }
  await set('on')
  return async () => {
    await set('off')
    await client.end()
  }
}

/** The server comes back as a standby, which is promoted later. */
export const standby: Trouble = async ({ cluster, restartPostgres }) => {
  const file = join(cluster.folder, 'data', 'standby.signal')
  writeFileSync(file, '')
  giveToServer(file)
  await restartPostgres()
  return () => promote(cluster)
}

/** Makes a standby the primary. */
export async function promote(cluster: Cluster): Promise<void> {
  const client = await connect(cluster.url('postgres'))
  await client.query('SELECT pg_promote()')
  await client.end()
}

/** Starts a standby of the database: from then on, each commit waits until it has that, too. */
export async function startSynchronousStandby({ cluster }: NodeSet): Promise<Cluster> {
  const standby = await startStandby(cluster)
  const client = await connect(cluster.url('postgres'))
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await client.query('SELECT pg_reload_conf()')
  await eventually(async () => {
    const { rows } = await client.query('SELECT sync_state FROM pg_stat_replication')
    if (rows[0]?.sync_state !== 'sync') throw new Error('the standby does not follow')
  })
  await client.end()
  return standby
}

/** Other programs have all connections. */
export const usedUp: Trouble = async ({ cluster, restartPostgres }) => {
  await restartPostgres('-c', 'max_connections=40')
  const url = cluster.url('postgres')
  const first = await connect(url)
  const hogs: pg.Client[] = []
  const ended = new AbortController()
  const hog = async () => {
    while (!ended.signal.aborted) {
      await connect(url).then(
        (client) => hogs.push(client),
        () => delay(10),
      )
    }
  }
  const hogging = Promise.all([hog(), hog(), hog()])
  // Each connection that ends is another one for the others.
  await eventually(async () => {
    const { rows } = await first.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tidegate'",
    )
    if (rows.length > 0) throw new Error(`${rows.length} connections are left`)
    if (hogs.length < 30) throw new Error('not used up')
  })
  return async () => {
    ended.abort()
    await hogging
    await Promise.all([first, ...hogs].map((client) => client.end()))
  }
}

/** The disk with the tables is full to the last byte. Needs the right to mount. */
export const fullDisk: Trouble = async ({ cluster }) => {
  const disk = smallDisk(32 * 1_024)
  giveToServer(disk)
  const client = await connect(cluster.url('postgres'))
  await client.query(`CREATE TABLESPACE small LOCATION '${disk}'`)
  await client.end()
  const inside = await connect(cluster.url('tidegate'))
  await eventually(() =>
    inside.query('ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE small'),
  )
  await inside.end()
  fillDisk(disk)
  return async () => freeDisk(disk)
}

/** A statement of somebody else holds the tables that check-ins are stored in, and shows no sign of an end. */
export const locked: Trouble = async ({ cluster }) => {
  const client = await connect(cluster.url('tidegate'))
  await client.query('BEGIN; LOCK TABLE devices IN ACCESS EXCLUSIVE MODE')
  return () => client.end()
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Keeps everybody from reading drafts. Returns what ends that. */
export async function lockDrafts(url: string): Promise<() => Promise<void>> {
  const client = await connect(url)
  await client.query('BEGIN; LOCK TABLE drafts IN ACCESS EXCLUSIVE MODE')
  return () => client.end()
}
