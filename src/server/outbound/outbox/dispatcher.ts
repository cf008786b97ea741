import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../../runtime/cluster/leadership.ts'
import { stillFor } from './notices/bundle.ts'
import type { AttemptResult } from './retry.ts'
import { LEADING, type Receiver, settleAttempt, settleUnseen } from './settling.ts'
import type {
  DeliveryRecord,
  DueDeliveries,
  OutboxStore,
  PushSubscriptionRecord,
  WebhookRecord,
} from './store.ts'

/** Milliseconds between two looks. */
const LOOK = 500
/** Entries of the audit log that one transaction reads. */
const COLLECT = 500
/** Most attempts at the same time, and of those to the webhooks of one app, to those of all apps, of mails, and of pushes. */
const PARALLEL = 8
const PARALLEL_OF_EACH = 4
/** Milliseconds until an outcome that could not be stored is stored again at first and at most: each wait doubles. */
const STORE_AGAIN = { first: 500, longest: 60_000 }
/** Finished deliveries are kept that many milliseconds, and that many of each webhook. */
const KEEP = 30 * 24 * 3_600_000
const KEEP_OF_EACH = 200
/** Milliseconds that finished push notifications are kept, for the bound of an hour. */
const KEEP_PUSHES = 24 * 3_600_000
const PRUNE_EVERY = 3_600_000

export interface DispatcherParts {
  readonly store: OutboxStore
  readonly clock: () => number
  sendToWebhook(
    webhook: WebhookRecord,
    delivery: DeliveryRecord,
    signal: AbortSignal,
  ): Promise<AttemptResult>
  /** Undefined while push notifications are turned off: they then wait. */
  readonly sendPush?:
    | ((
        subscription: PushSubscriptionRecord,
        delivery: DeliveryRecord,
        signal: AbortSignal,
      ) => Promise<AttemptResult>)
    | undefined
  /** Undefined while no mail is configured: mails then wait. */
  readonly sendMail?:
    | ((delivery: DeliveryRecord, signal: AbortSignal) => Promise<AttemptResult>)
    | undefined
  /** Hears of every look that failed, and of each time that an outcome could not be stored. */
  readonly onFailure: (error: unknown) => void
}

interface Running {
  /** Key of the app whose webhook it is for; null for a webhook of all apps. */
  readonly share: number | null | 'mail' | 'push'
  readonly ended: Promise<void>
}

/**
 * Turns entries of the audit log into deliveries and sends what is due: at most 8 at a time, and one after the
 * other to each webhook and browser. Those of one app leave places for others. An outcome that cannot be stored keeps its place among the 8 until it is, so that nothing is sent
 * again meanwhile. What was sent and not noted before the process died is sent again, under the same ID.
 */
export class Dispatcher implements Job {
  readonly #parts: DispatcherParts
  readonly #running = new Map<string, Running>()
  /** The names of attempts that ended since the look began: what it reads of them can be older than their outcome. */
  readonly #ended = new Set<string>()
  #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #prunedAt = Number.NEGATIVE_INFINITY

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  start(): void {
    this.#stopped = new AbortController()
    this.#timer = setInterval(() => this.wake(), LOOK).unref()
  }

  /** Breaks off the attempts under way, which are made again after the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stopped.abort()
    await this.#looking
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Looks now, if it is started. */
  wake(): void {
    if (this.#timer === undefined || this.#looking !== undefined) return
    this.#looking = this.#look()
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#looking = undefined
        if (this.#ended.size > 0) this.wake()
      })
  }

  async #look(): Promise<void> {
    const { store, clock, sendMail, sendPush } = this.#parts
    const isMailing = sendMail !== undefined
    this.#ended.clear()
    if ((await store.isMailing()) !== isMailing) {
      await store.transact((tx) => tx.setMailing(isMailing), LEADING)
    }
    while (!this.#isStopped && (await store.hasUncollected())) {
      await store.transact((tx) => tx.collect(COLLECT, clock()), LEADING)
    }
    if (clock() - this.#prunedAt >= PRUNE_EVERY) await this.#prune()
    const limits = { mails: isMailing ? PARALLEL : 0, pushes: sendPush ? PARALLEL : 0 }
    const due = await store.due(new Date(clock()).toISOString(), limits)
    for (const delivery of due.deliveries) this.#begin(delivery, due)
  }

  /** Leaves alone what is under way or has just ended, and another delivery of the same webhook or browser. */
  #begin(delivery: DeliveryRecord, due: DueDeliveries): void {
    if (this.#isStopped || this.#running.size >= PARALLEL) return
    const { to } = delivery
    const name = nameOf(delivery)
    if (this.#running.has(name) || this.#ended.has(name)) return
    const webhook =
      to.kind === 'webhook' ? due.webhooks.find(({ id }) => id === to.webhookId) : undefined
    const subscription =
      to.kind === 'push' ? due.subscriptions.find(({ id }) => id === to.subscriptionId) : undefined
    const share = to.kind === 'webhook' ? (webhook?.appKey ?? null) : to.kind
    const ofShare = [...this.#running.values()].filter((each) => each.share === share)
    if (ofShare.length >= PARALLEL_OF_EACH) return
    const ended = this.#attempt(seenNow(delivery, due), delivery, { webhook, subscription })
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#running.delete(name)
        this.#ended.add(name)
        this.wake()
      })
    this.#running.set(name, { share, ended })
  }

  /** `seen`: what the recipient can still see of the delivery; null for nothing. */
  async #attempt(seen: DeliveryRecord | null, delivery: DeliveryRecord, receiver: Receiver) {
    const { signal } = this.#stopped
    const { store, clock } = this.#parts
    if (seen === null) return await settleUnseen(store, delivery)
    const result = await this.#send(seen, receiver, signal)
    // Broken off by the stop: as if it had not begun.
    if (result === undefined || (signal.aborted && !result.delivered)) return
    let wait = STORE_AGAIN.first
    let isSettled = false
    while (!isSettled) {
      try {
        await settleAttempt(store, { delivery, receiver, result, now: clock() })
        isSettled = true
      } catch (error) {
        this.#parts.onFailure(error)
        if (signal.aborted) return
        await delay(wait, undefined, { signal, ref: false }).catch(() => {})
        wait = Math.min(wait * 2, STORE_AGAIN.longest)
      }
    }
  }

  async #send(
    delivery: DeliveryRecord,
    { webhook, subscription }: Receiver,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    const { sendToWebhook, sendMail, sendPush } = this.#parts
    if (webhook !== undefined) return await sendToWebhook(webhook, delivery, signal)
    if (subscription !== undefined) return await sendPush?.(subscription, delivery, signal)
    return delivery.to.kind === 'mail' ? await sendMail?.(delivery, signal) : undefined
  }

  async #prune(): Promise<void> {
    const { store, clock } = this.#parts
    const [before = '', pushBefore = ''] = [KEEP, KEEP_PUSHES].map((kept) =>
      new Date(clock() - kept).toISOString(),
    )
    if (await store.hasEnded()) {
      await store.transact((tx) => tx.prune(before, pushBefore, KEEP_OF_EACH), LEADING)
    }
    this.#prunedAt = clock()
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted
  }
}

/** What is sent one after the other has the same name. */
function nameOf({ id, to }: DeliveryRecord): string {
  if (to.kind === 'webhook') return to.webhookId
  return to.kind === 'push' ? to.subscriptionId : id
}

/** Returns a delivery with what its recipient can see of it now, which may be less than when it was queued. */
function seenNow(
  delivery: DeliveryRecord,
  { recipients }: Pick<DueDeliveries, 'recipients'>,
): DeliveryRecord | null {
  const { to } = delivery
  if (to.kind === 'webhook' || to.accountId === undefined) return delivery
  const payload = stillFor(delivery, recipients.get(to.accountId))
  return payload === null ? null : { ...delivery, payload }
}
