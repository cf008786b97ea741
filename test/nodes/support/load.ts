import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Queries } from '../../../src/server/storage/postgres/connection/queries.ts'
import { type CallOptions, request } from '../../support/servers/server.ts'
import type { NodeSet } from './nodes.ts'

/** Devices that all writers report, and how many of them in a call. */
const [SHARED, TOGETHER] = [24, 8]
/** Milliseconds between an answer and the next request of a caller. */
const PAUSE = 15
/** Milliseconds that a caller waits for an answer: a node that is stopped gives none. */
const PATIENCE = 8_000
const PLATFORM = { platform: 'darwin', arch: 'aarch64' } as const

/** What was sent for a device, and how much of it was acknowledged. */
interface Sent {
  sent: number
  acknowledged: number
}

/** An offer, or that there is none. */
interface Check {
  /** On the monotonic clock, when it was sent. */
  readonly at: number
  readonly node: string
  /** undefined without an answer. */
  readonly status: number | undefined
  /** The version that was offered. */
  readonly offered: string | undefined
}

/** Callers that check and report without pause, by the balancer and at each node, whatever fails meanwhile. */
export class Load {
  readonly #set: NodeSet
  readonly #devices = new Map<string, Sent>()
  readonly #checks: Check[] = []
  /** Statuses that were answered, and how often. */
  readonly statuses = new Map<string, number>()
  readonly #ended = new AbortController()
  readonly #callers: Promise<void>[] = []
  #started = 0

  constructor(set: NodeSet, { writers }: { readonly writers: number }) {
    this.#set = set
    const { nodes, balancer } = set
    const addresses = [balancer, ...nodes.map(({ address }) => address)]
    for (let writer = 0; writer < writers; writer++) {
      this.#callers.push(this.#repeat((round) => this.#report(addresses, writer, round)))
    }
    for (const address of addresses) {
      this.#callers.push(this.#repeat((round) => this.#check(address, round)))
    }
  }

  /** The reports that were acknowledged. */
  get acknowledged(): number {
    return this.#reports('acknowledged')
  }

  /** The reports that were sent. */
  get sent(): number {
    return this.#reports('sent')
  }

  /** Waits until so many more reports have been acknowledged. */
  async more(reports: number): Promise<void> {
    const goal = this.acknowledged + reports
    while (this.acknowledged < goal && !this.#ended.signal.aborted) await delay(PAUSE)
  }

  /** Ends all callers; what they have sent is answered. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#callers)
  }

  /** Fails if any node offered one of the versions in a check that was sent after `at` (`performance.now`). */
  expectNotOffered(version: string, at: number): void {
    const wrong = this.#checks.filter((check) => check.at >= at && check.offered === version)
    expect(wrong, `${version} was rolled back at ${at}`).toEqual([])
  }

  /** Whether any node has offered that version. */
  wasOffered(version: string): boolean {
    return this.#checks.some(({ offered }) => offered === version)
  }

  /** What a node answered to the checks that were sent to it after `at` (`performance.now`). */
  checksOf(node: string, at: number): Pick<Check, 'status' | 'offered'>[] {
    return this.#checks.filter((check) => check.node === node && check.at >= at)
  }

  /** Compares the log with what was sent and acknowledged. Call it when all is stored. */
  async expectStored(queries: Queries): Promise<void> {
    const rows = await queries.rows<{ name: string; count: number }>(
      `SELECT device_id AS name, count(check_ins.id) AS count FROM devices
      LEFT JOIN check_ins ON check_ins.device = devices.id GROUP BY devices.id`,
    )
    const stored = new Map(rows.map(({ name, count }) => [name, count]))
    const wrong = [...this.#devices].flatMap(([name, { sent, acknowledged }]) => {
      const count = stored.get(name) ?? 0
      return count < acknowledged || count > sent ? [{ name, sent, acknowledged, count }] : []
    })
    expect(wrong, 'stored otherwise than acknowledged').toEqual([])
    expect([...stored.keys()].filter((name) => !this.#devices.has(name))).toEqual([])
    expect(await queries.rows('SELECT * FROM set_aside')).toEqual([])
  }

  #reports(what: keyof Sent): number {
    let sum = 0
    for (const [name, counts] of this.#devices) if (name.startsWith('own-')) sum += counts[what]
    return sum
  }

  async #repeat(work: (round: number) => Promise<void>): Promise<void> {
    // Devices that never were on a node stay apart from each other.
    const first = this.#started++ * 1_000_000
    for (let round = first; !this.#ended.signal.aborted; round++) {
      await work(round)
      await delay(PAUSE)
    }
  }

  /** One device that no other call names, and some that all writers name. */
  async #report(addresses: readonly string[], writer: number, round: number): Promise<void> {
    const address = addresses[round % addresses.length] ?? ''
    const version = round % 3 === 0 ? '1.0.0' : '1.1.0'
    const shared = Array.from(
      { length: TOGETHER },
      (_, at) => `shared-${(at * 5 + round * 7 + writer) % SHARED}`,
    )
    const names = [`own-${round}`, ...new Set(shared)]
    const devices = names.map((deviceId) => ({ deviceId, version, ...PLATFORM }))
    const entries = names.map((name) => this.#entry(name))
    for (const entry of entries) entry.sent++
    const body = { app: 'editor', devices }
    const options = { key: this.#set.key, body }
    const answer = await this.#call('POST', `${address}/api/v1/fleet/report`, options)
    if (answer?.status === 200) for (const entry of entries) entry.acknowledged++
  }

  /** A check of a device that is acknowledged to nobody. */
  async #check(address: string, round: number): Promise<void> {
    const device = `check-${round % 40}-${address.slice(-5)}`
    this.#entry(device).sent++
    const at = performance.now()
    const url = `${address}/u/editor/stable/darwin/aarch64/1.0.0`
    const answer = await this.#call('GET', url, { headers: { 'x-service-device': device } })
    const { status, body } = answer ?? {}
    this.#checks.push({ at, node: address, status, offered: body?.version })
  }

  #entry(name: string): Sent {
    const entry = this.#devices.get(name) ?? { sent: 0, acknowledged: 0 }
    this.#devices.set(name, entry)
    return entry
  }

  /** Undefined if there is no answer, or none in time: nobody knows what became of the request. */
  async #call(method: string, url: string, options: CallOptions) {
    const answer = await Promise.race([
      request(url, method, options).catch(() => undefined),
      delay(PATIENCE, undefined, { ref: false }),
    ])
    const status = `${method} ${answer?.status ?? 'none'}`
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    return answer
  }
}
