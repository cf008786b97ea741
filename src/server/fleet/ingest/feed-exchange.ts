import { z } from 'zod'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { DecisionReason } from '../../../shared/releases/manifest.ts'
import type { FleetEvent, LiveFeed, RemoteEvent } from './live-feed.ts'

/** Milliseconds between two messages. */
const PAUSE = 250

/** What the exchange needs of the nodes. */
export interface FeedNodes {
  readonly id: number
  list(): {
    readonly nodes: readonly {
      readonly own: boolean
      readonly state: { readonly watching: boolean }
    }[]
    readonly failing: boolean
  }
  report(state: { readonly watching: boolean }): void
  onListed(listener: () => void): () => void
  send(message: string): Promise<void>
  hear(onMessage: (message: string) => void): () => void
}

/**
 * Shows the check-ins of all nodes to those who watch on any of them. A node tells the others while somebody watches on it;
 * they send samples only while another node does.
 */
export class FeedExchange {
  readonly #feed: LiveFeed
  readonly #nodes: FeedNodes
  readonly #endListed: () => void
  #sample: FeedSample | undefined
  #timer: NodeJS.Timeout | undefined
  #isSending = false
  #endHearing: (() => void) | undefined

  constructor(feed: LiveFeed, nodes: FeedNodes) {
    this.#feed = feed
    this.#nodes = nodes
    this.#endListed = nodes.onListed(() => this.#look())
    feed.watch((watched) => this.#watch(watched))
    this.#look()
  }

  /** Sends and hears nothing any more. */
  stop(): void {
    this.#endListed()
    this.#feed.watch(() => {})
    this.#watch(false)
    this.#endSending()
  }

  #watch(watched: boolean): void {
    if (watched === (this.#endHearing !== undefined)) return
    this.#endHearing?.()
    this.#endHearing = watched ? this.#nodes.hear((message) => this.#hear(message)) : undefined
    this.#nodes.report({ watching: watched })
  }

  #hear(message: string): void {
    const { node, events = [] } = readMessage(message) ?? {}
    if (node === this.#nodes.id) return
    for (const event of events) this.#feed.relay(event)
  }

  #look(): void {
    const { nodes, failing } = this.#nodes.list()
    const wanted = !failing && nodes.some(({ own, state }) => !own && state.watching)
    if (wanted === (this.#sample !== undefined)) return
    if (wanted) this.#beginSending()
    else this.#endSending()
  }

  #beginSending(): void {
    const sample = new FeedSample()
    this.#sample = sample
    this.#feed.forwardTo((event) => sample.add(event))
    this.#timer = setInterval(() => void this.#send(sample), PAUSE).unref()
  }

  #endSending(): void {
    this.#sample = undefined
    this.#feed.forwardTo(undefined)
    clearInterval(this.#timer)
  }

  /** What is not sent is only not seen. */
  async #send(sample: FeedSample): Promise<void> {
    if (this.#isSending) return
    const message = sample.take(this.#nodes.id)
    if (message === undefined) return
    this.#isSending = true
    await this.#nodes.send(message).catch(() => {})
    this.#isSending = false
  }
}

/** Check-ins of one channel in a message. */
const PER_CHANNEL = 5
/** Bytes of a message: PostgreSQL takes less than 8,000. */
const MOST_BYTES = 7_500
/** Channels of which left out check-ins are counted until one is sent. */
const MOST_CHANNELS = 1_000

const Message = z.tuple([
  /** The node that sends. */
  z.int(),
  z.array(
    z.tuple([
      z.int(),
      z.int(),
      z.string().nullable(),
      z.string(),
      z.string(),
      z.string(),
      z.enum(['check', 'decision', 'report', 'outcome']),
      DecisionReason.nullable(),
      /** Left out before it. */
      z.int().nonnegative(),
    ]),
  ),
])

/** The check-ins of a moment that are sent to other nodes: some of each channel, and how many are left out. */
export class FeedSample {
  #events: FleetEvent[] = []
  readonly #counts = new Map<number, number>()
  readonly #leftOut = new Map<number, number>()

  /** Keeps a check-in, or counts it as left out: the first of each channel are kept. */
  add(event: FleetEvent): void {
    const { channelKey } = event
    const count = this.#counts.get(channelKey) ?? 0
    if (count >= PER_CHANNEL || this.#counts.size > MOST_CHANNELS) this.#leaveOut(channelKey)
    else {
      this.#counts.set(channelKey, count + 1)
      this.#events.push(event)
    }
  }

  /** Returns the message of a node, which begins the next moment; undefined if there is nothing to send. */
  take(node: number): string | undefined {
    const events = this.#events
    if (events.length === 0) return undefined
    this.#events = []
    this.#counts.clear()
    const parts: string[] = []
    let bytes = 30
    for (const event of events) {
      const { channelKey } = event
      const leftOut = this.#leftOut.get(channelKey) ?? 0
      const part = partOf(event, leftOut)
      const size = Buffer.byteLength(part) + 1
      if (bytes + size > MOST_BYTES) {
        this.#leaveOut(channelKey)
        continue
      }
      bytes += size
      parts.push(part)
      this.#leftOut.delete(channelKey)
    }
    return parts.length === 0 ? undefined : `[${node},[${parts.join(',')}]]`
  }

  #leaveOut(channelKey: number): void {
    if (!this.#leftOut.has(channelKey) && this.#leftOut.size >= MOST_CHANNELS) return
    this.#leftOut.set(channelKey, (this.#leftOut.get(channelKey) ?? 0) + 1)
  }
}

/** Reads a message of a node of any version; undefined if it is none. */
export function readMessage(
  message: string,
): { readonly node: number; readonly events: readonly RemoteEvent[] } | undefined {
  const { data } = Message.safeParse(parsedJson(message))
  if (data === undefined) return undefined
  const [node, parts] = data
  const events = parts.map(
    ([at, channelKey, deviceId, version, platform, arch, source, reason, leftOut]) => {
      return { at, channelKey, deviceId, version, platform, arch, source, reason, leftOut }
    },
  )
  return { node, events }
}

function partOf(event: FleetEvent, leftOut: number): string {
  const { at, channelKey, deviceId, version, platform, arch, source, reason } = event
  const part = [at, channelKey, deviceId, version, platform, arch, source, reason, leftOut]
  return JSON.stringify(part)
}
