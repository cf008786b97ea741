import fc from 'fast-check'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import type { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { QueuedFacts } from '../../../../../src/server/storage/postgres/fleet/ingest/queued-facts.ts'
import { TelemetryStore } from '../../../../../src/server/storage/postgres/fleet/ingest/telemetry-store.ts'
import { ensurePartitions } from '../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'

/** When they check in first: Unix ms. */
export const START = Date.UTC(2026, 2, 14, 10)

let nodes = 0

/** Stores the app 1 with the channels 1 and 2. */
export async function storeChannels(database: PostgresDatabase): Promise<void> {
  await database.run(
    `INSERT INTO apps (key, id, ref, name, created_at) VALUES (1, 'a', 'editor', 'Editor', '')`,
  )
  await database.run(`INSERT INTO channels (key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
    VALUES (1, 1, 'stable', 'optional', '0.0.0', 'downgrade', '', 1), (2, 1, 'beta', 'optional', '0.0.0', 'downgrade', '', 1)`)
}

/** A node with a store of its own on the database, which need not have the channels 1 and 2 of the app 1. */
export async function openTelemetryNode(database: PostgresDatabase) {
  const id = ++nodes
  await database.run(
    `INSERT INTO nodes (id, slot, name, version, schema) VALUES ($1, $2, 'n', '0', 4)`,
    [id, id],
  )
  const budgets: string[] = []
  const store = new TelemetryStore(database, {
    node: () => ({ id, slot: id }),
    ensurePartition: (at) => ensurePartitions(database, at),
    combinations: 50,
    labelBytes: 64,
    isRolledBack: () => false,
    admits: (caller) => caller !== 'greedy',
    onUsedUp: (budget) => budgets.push(budget),
    onStored: () => {},
    clock: () => START,
  })
  const facts = new QueuedFacts()
  const flush = async () => {
    const batch = facts.takeBatch()
    await store.commit(batch)
    return batch
  }
  return { id, store, facts, flush, budgets }
}

export type TelemetryNode = Awaited<ReturnType<typeof openTelemetryNode>>

export const RELEASES = ['2.0.0', '2.1.0'].map((version) => {
  return { id: `release-${version}`, channelKey: 1, version }
})

export const aCheckIn = fc.record({
  device: fc.integer({ min: 0, max: 12 }),
  channelKey: fc.constantFrom(1, 1, 1, 2),
  version: fc.constantFrom('1.0.0', '2.0.0', '2.1.0', '0.9.0'),
  minutes: fc.integer({ min: 0, max: 3 * 24 * 60 }),
  answer: fc.constantFrom('up_to_date', 'update', 'update', 'rollback'),
  release: fc.integer({ min: 0, max: 1 }),
  node: fc.integer({ min: 0, max: 2 }),
})

/** Returns it as a server would send it. */
export function checkInOf({
  device,
  channelKey,
  version,
  minutes,
  answer,
  release,
}: typeof aCheckIn extends fc.Arbitrary<infer T> ? T : never): CheckIn {
  const offered = answer === 'update' && channelKey === 1 ? RELEASES[release] : undefined
  const reason = answer === 'update' && offered === undefined ? 'up_to_date' : answer
  return {
    appKey: 1,
    deviceId: device === 0 ? null : `device-${device}`,
    profile: new ProfileClaim(channelKey, version, 'linux', 'x86_64', 'release'),
    at: START + minutes * 60_000,
    source: 'check',
    reason: reason as CheckIn['reason'],
    offered,
  }
}
