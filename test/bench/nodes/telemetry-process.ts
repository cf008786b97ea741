import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { CheckIn, FleetFacts } from '../../../src/server/fleet/check-in.ts'
import { ProfileClaim } from '../../../src/server/fleet/profile-claim.ts'
import { dayOf } from '../../../src/server/fleet/time.ts'
import { Changes } from '../../../src/server/storage/postgres/changes/changes.ts'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { firstIdOf } from '../../../src/server/storage/postgres/fleet/ingest/id-blocks.ts'
import { openPostgresFleet } from '../../../src/server/storage/postgres/fleet/postgres-fleet.ts'
import { randomIntegers } from '../fleet/random.ts'
import { idOf, PLATFORMS, profileOf, VERSIONS } from './device.ts'
import { FIRST_ID } from './fleet.ts'
import type { NodeResult, NodeTask, Work } from './telemetry.ts'

// A node of its own process that stores telemetry, or reads labels, as a server does. Usage: telemetry-process.ts TASK, as
// JSON. It takes `Work` as messages and answers each with a `NodeResult`.

/** Calls that wait at a time without a rate: while one is stored, the next one is there. */
const AT_A_TIME = 2
/** Ids of check-ins that nodes store with a plain statement: this many for each, above those that they give out. */
const BARE_IDS = 2 ** 30
/** Reads of labels at a time. */
const READS_AT_A_TIME = 256

const { url, node, devices, size: usualSize }: NodeTask = JSON.parse(process.argv[2] ?? '')
const random = randomIntegers(0x51ed270b * (node + 1) + process.pid)
const claims = PLATFORMS.flatMap((platform) =>
  VERSIONS.map((version) => new ProfileClaim(1, version, platform, 'x86_64', 'release')),
)
const database = new PostgresDatabase(url)
const changes = await Changes.open(database)
await database.run(
  `INSERT INTO nodes (id, slot, name, version, schema) VALUES ($1, $2, 'bench', '0', 4)`,
  [node, node],
)
const fleet = await openPostgresFleet(
  { database, changes, node: () => ({ id: node, slot: node }) },
  {
    onFailure: (error) => {
      throw error
    },
  },
)
const bare = new pg.Client({ connectionString: url })
await bare.connect()
let added = 0
let stored = 0

process.on('message', (work: Work) => {
  void perform(work).then((result) => process.send?.(result))
})
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function perform({ kind, seconds, rate, size = usualSize }: Work): Promise<NodeResult> {
  const times: number[] = []
  const cpu = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1_000
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  if (kind === 'labels') {
    const readOne = async () => {
      while (performance.now() < end) {
        await timed(() => fleet.labelsOf(1, [idOf(random() % devices)]))
      }
    }
    await Promise.all(Array.from({ length: READS_AT_A_TIME }, readOne))
  } else if (rate !== undefined) {
    // Nodes do not know of each other: a batch comes at any moment of its interval.
    const interval = (size / rate) * 1_000
    for (let due = began; due < end; due += interval) {
      const facts = factsOf(size)
      await delay(Math.max(0, due + (random() % interval) - performance.now()))
      await timed(() => fleet.commit(facts))
    }
  } else {
    const one = async () => {
      while (performance.now() < end) {
        if (kind === 'bare') await timed(() => storeBare(size))
        else {
          const facts = factsOf(size)
          await timed(() => fleet.commit(facts))
        }
      }
    }
    await Promise.all(Array.from({ length: kind === 'bare' ? 1 : AT_A_TIME }, one))
  }
  const { user, system } = process.cpuUsage(cpu)
  const rows = kind === 'labels' ? times.length : times.length * size
  return { rows, seconds: (performance.now() - began) / 1_000, times, cpu: (user + system) / 1e6 }
}

/** Milliseconds in which the check-ins of a batch come: as long as a node waits for more. */
const GATHERED = 50

/** Devices that are known, but for one in 200. One in 100 comes with another version, a tenth is offered a release, one in 50 sends labels. */
function factsOf(size: number): FleetFacts {
  const now = Date.now()
  const checkIns: CheckIn[] = []
  const labelDeltas = []
  while (checkIns.length < size) {
    const isNew = random() % 200 === 0
    const index = isNew ? devices + node * 100_000_000 + added++ : random() % devices
    const profile = claims[random() % 100 === 0 ? random() % claims.length : profileOf(index)]
    if (profile === undefined) throw new Error('no profile')
    const deviceId = idOf(index)
    const isOffered = index % 10 === 0
    const at = now - (random() % GATHERED)
    const offered = isOffered ? { id: 'r', channelKey: 1, version: '2.0.0' } : undefined
    const reason = isOffered ? 'update' : 'up_to_date'
    checkIns.push({ appKey: 1, deviceId, profile, at, source: 'check', reason, offered })
    if (random() % 50 === 0) {
      const set = { ring: `r${random() % 7}` }
      labelDeltas.push({ appKey: 1, deviceId, at, set, remove: [] })
    }
  }
  return { checkIns, reports: [], labelDeltas }
}

/** The least that stores as many check-ins: one statement that updates the devices and appends to the log. */
async function storeBare(size: number): Promise<void> {
  const indexes = new Set<number>()
  while (indexes.size < size) indexes.add(random() % devices)
  const at = Date.now()
  const ids = [...indexes].map((index) => index + FIRST_ID).sort((one, other) => one - other)
  await bare.query(
    `WITH seen AS (UPDATE devices SET last_seen = $2, last_check_in = check_in
      FROM unnest($1::bigint[], $3::bigint[]) AS u (id, check_in)
      WHERE devices.id = u.id RETURNING devices.id, profile, last_check_in)
    INSERT INTO check_ins SELECT last_check_in, id, $2, profile, -1, 0 FROM seen`,
    [
      ids,
      at,
      ids.map((_, place) => firstIdOf(dayOf(at)) + 2 ** 35 + BARE_IDS * node + stored + place),
    ],
  )
  stored += size
}
