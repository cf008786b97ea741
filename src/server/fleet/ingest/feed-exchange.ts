import { FeedSample, readMessage } from './feed-sample.ts'
import type { LiveFeed } from './live-feed.ts'

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
