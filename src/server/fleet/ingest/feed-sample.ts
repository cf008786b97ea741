import { z } from 'zod'
import { DecisionReason } from '../../../shared/manifest.ts'
import { parsedJson } from '../../../shared/parsed-json.ts'
import type { FleetEvent, RemoteEvent } from './live-feed.ts'

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
    if (count >= PER_CHANNEL || this.#counts.size > MOST_CHANNELS) this.#leaveOut(channelKey, 1)
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
        this.#leaveOut(channelKey, 1)
        continue
      }
      bytes += size
      parts.push(part)
      this.#leftOut.delete(channelKey)
    }
    return parts.length === 0 ? undefined : `[${node},[${parts.join(',')}]]`
  }

  #leaveOut(channelKey: number, count: number): void {
    if (!this.#leftOut.has(channelKey) && this.#leftOut.size >= MOST_CHANNELS) return
    this.#leftOut.set(channelKey, (this.#leftOut.get(channelKey) ?? 0) + count)
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
