import type { LabelMap } from '../../../../../shared/names.ts'
import { NO_LABELS } from '../../../../fleet/labels.ts'
import type { Queries } from '../../connection/queries.ts'
import { labelsFromText } from '../ingest/stored-labels.ts'
import { keyOf, PendingLabels } from './pending-labels.ts'

/** Statements under way at a time. What is asked meanwhile waits, and goes with the next one. */
const MOST_UNDER_WAY = 2
/** Keys of one statement. */
const MOST_KEYS = 2_000

interface Asked<Value> {
  readonly key: string
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** Reads values by their keys, as many as are asked for at a time with one statement. */
class GatheredReads<Value> {
  readonly #readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  #waiting: Asked<Value>[] = []
  #underWay = 0

  /** `readAll`: reads what it finds of different keys. */
  constructor(readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#readAll = readAll
  }

  /** Reads one value, as of this call or later; undefined if there is none. Rejects as `readAll` does. */
  read(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject })
      // What else is asked for in the same turn goes with it.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#next())
    })
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#underWay === MOST_UNDER_WAY) return
    const asked = this.#waiting.slice(0, MOST_KEYS)
    this.#waiting = this.#waiting.slice(MOST_KEYS)
    this.#underWay++
    void this.#answer(asked).finally(() => {
      this.#underWay--
      this.#next()
    })
    this.#next()
  }

  async #answer(asked: readonly Asked<Value>[]): Promise<void> {
    try {
      const values = await this.#readAll([...new Set(asked.map(({ key }) => key))])
      for (const { key, resolve } of asked) resolve(values.get(key))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}

const SQL = `SELECT app_key AS "appKey", device_id AS "deviceId", labels
  FROM unnest($1::integer[], $2::text[]) AS asked (app, name)
    JOIN devices ON app_key = app AND device_id = name
    JOIN device_labels ON device_labels.device = devices.id`

/** Devices in the cache. */
const MOST = 100_000
/** Milliseconds for which labels are used without reading them: how late this node sees what another one stored. */
const FRESH = 1_000

interface Entry {
  readonly labels: LabelMap
  /** Time of the monotonic clock at which they were read, or stored. */
  readonly at: number
}

export interface DeviceLabelsOptions {
  /** What is not stored yet; by default, nothing. */
  readonly pending?: PendingLabels | undefined
  /** Most devices in the cache. */
  readonly most?: number | undefined
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: (() => number) | undefined
}

interface Row {
  readonly appKey: number
  readonly deviceId: string
  /** JSON. */
  readonly labels: string
}

/** The labels of devices: at most a second old, with what this node has stored or recorded since. */
export class DeviceLabels {
  readonly #pending: PendingLabels
  readonly #most: number
  readonly #elapsed: () => number
  readonly #reads: GatheredReads<LabelMap>
  /** In the order of their times. */
  readonly #entries = new Map<string, Entry>()

  constructor(
    queries: Queries,
    {
      pending = new PendingLabels(),
      most = MOST,
      elapsed = () => performance.now(),
    }: DeviceLabelsOptions = {},
  ) {
    this.#pending = pending
    this.#most = most
    this.#elapsed = elapsed
    this.#reads = new GatheredReads((keys) => readLabels(queries, keys))
  }

  /** Returns a device's labels, none if it is unknown; undefined if they must be read first. */
  inMemory(appKey: number, deviceId: string): LabelMap | undefined {
    const key = keyOf(appKey, deviceId)
    const stored = this.#fresh(key)
    return stored && this.#pending.over(key, stored)
  }

  /** Reads the labels of each device, in the given order; none if the device is unknown. Rejects with `StorageError`. */
  async of(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]> {
    return await Promise.all(
      deviceIds.map(async (id) => {
        const key = keyOf(appKey, id)
        const stored = await this.#read(key)
        return this.#pending.over(key, stored)
      }),
    )
  }

  /** Remembers the labels that this node has committed for a device. */
  stored(appKey: number, deviceId: string, labels: LabelMap): void {
    this.#keep(keyOf(appKey, deviceId), { labels, at: this.#elapsed() })
  }

  async #read(key: string): Promise<LabelMap> {
    const known = this.#fresh(key)
    if (known !== undefined) return known
    // The labels can be as old as the beginning of the read.
    const at = this.#elapsed()
    const labels = (await this.#reads.read(key)) ?? NO_LABELS
    const since = this.#entries.get(key)
    // Stored while they were read: what was read may be from before.
    if (since !== undefined && since.at >= at) return since.labels
    this.#keep(key, { labels, at })
    return labels
  }

  #fresh(key: string): LabelMap | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#elapsed() - entry.at < FRESH) return entry.labels
    this.#entries.delete(key)
    return undefined
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size <= this.#most) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}

async function readLabels(
  queries: Queries,
  keys: readonly string[],
): Promise<Map<string, LabelMap>> {
  const names = keys.map(nameOf)
  const apps = names.map(({ appKey }) => appKey)
  const ids = names.map(({ deviceId }) => deviceId)
  const rows = await queries.rows<Row>(SQL, [apps, ids])
  return new Map(
    rows.map(({ appKey, deviceId, labels }) => [keyOf(appKey, deviceId), labelsFromText(labels)]),
  )
}

function nameOf(key: string): { appKey: number; deviceId: string } {
  const end = key.indexOf(' ')
  return { appKey: Number(key.slice(0, end)), deviceId: key.slice(end + 1) }
}
