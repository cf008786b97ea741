import { setTimeout as delay } from 'node:timers/promises'
import { auditEntry } from '../../catalog/audit-log.ts'
import type { Job } from '../../runtime/cluster/leadership.ts'
import { type AttemptResult, nextAttempt } from './retry.ts'
import type { DeliveryRecord, DueDeliveries, OutboxStore, WebhookRecord } from './store.ts'

/** Milliseconds between two looks. */
const LOOK = 500
/** Entries of the audit log that one transaction reads. */
const COLLECT = 500
/** Most attempts at the same time, and of those to the webhooks of one app, to those of all apps, and of mails. */
const PARALLEL = 8
const PARALLEL_OF_EACH = 4
/** Milliseconds until an outcome that could not be stored is stored again at first and at most: each wait doubles. */
const STORE_AGAIN = { first: 500, longest: 60_000 }
/** Attempts that the log of a delivery keeps. */
const KEPT_ATTEMPTS = 20
/** Milliseconds without a success after which a webhook is disabled. */
const DISABLE_AFTER = 3 * 24 * 3_600_000
/** Finished deliveries are kept that many milliseconds, and that many of each webhook. */
const KEEP = 30 * 24 * 3_600_000
const KEEP_OF_EACH = 200
const PRUNE_EVERY = 3_600_000
const LEADING = { leading: 'outbox' } as const

export interface DispatcherParts {
  readonly store: OutboxStore
  readonly clock: () => number
  sendToWebhook(
    webhook: WebhookRecord,
    delivery: DeliveryRecord,
    signal: AbortSignal,
  ): Promise<AttemptResult>
  /** Undefined while no mail is configured: mails then wait. */
  readonly sendMail?:
    | ((delivery: DeliveryRecord, signal: AbortSignal) => Promise<AttemptResult>)
    | undefined
  /** Hears of every look that failed, and of each time that an outcome could not be stored. */
  readonly onFailure: (error: unknown) => void
}

/** An attempt under way. */
interface Running {
  /** Key of the app whose webhook it is for; null for a webhook of all apps. */
  readonly share: number | null | 'mail'
  readonly ended: Promise<void>
}

/**
 * Turns entries of the audit log into deliveries and sends what is due: at most 8 at a time, and one after the
 * other to each webhook. Those of one app leave places for others. An outcome that cannot be stored keeps its place among the 8 until it is, so that nothing is sent
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
    const { store, clock, sendMail } = this.#parts
    const isMailing = sendMail !== undefined
    this.#ended.clear()
    if ((await store.isMailing()) !== isMailing) {
      await store.transact((tx) => tx.setMailing(isMailing), LEADING)
    }
    while (!this.#isStopped && (await store.hasUncollected())) {
      await store.transact((tx) => tx.collect(COLLECT, clock()), LEADING)
    }
    if (clock() - this.#prunedAt >= PRUNE_EVERY) await this.#prune()
    const mails = isMailing ? PARALLEL : 0
    const due = await store.due(new Date(clock()).toISOString(), mails)
    for (const delivery of due.deliveries) this.#begin(delivery, due)
  }

  /** Leaves alone what is under way or has just ended, and another delivery of the same webhook. */
  #begin(delivery: DeliveryRecord, { webhooks }: DueDeliveries): void {
    if (this.#isStopped || this.#running.size >= PARALLEL) return
    const { to } = delivery
    const name = to.kind === 'webhook' ? to.webhookId : delivery.id
    if (this.#running.has(name) || this.#ended.has(name)) return
    const webhook =
      to.kind === 'webhook' ? webhooks.find(({ id }) => id === to.webhookId) : undefined
    const share = webhook === undefined ? 'mail' : webhook.appKey
    const ofShare = [...this.#running.values()].filter((each) => each.share === share)
    if (ofShare.length >= PARALLEL_OF_EACH) return
    const ended = this.#attempt(delivery, webhook)
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#running.delete(name)
        this.#ended.add(name)
        this.wake()
      })
    this.#running.set(name, { share, ended })
  }

  async #attempt(delivery: DeliveryRecord, webhook: WebhookRecord | undefined): Promise<void> {
    const { signal } = this.#stopped
    const { sendToWebhook, sendMail } = this.#parts
    const result =
      webhook === undefined
        ? await sendMail?.(delivery, signal)
        : await sendToWebhook(webhook, delivery, signal)
    // Broken off by the stop: as if it had not begun.
    if (result === undefined || (signal.aborted && !result.delivered)) return
    let wait = STORE_AGAIN.first
    let isSettled = false
    while (!isSettled) {
      try {
        await this.#settle(delivery, webhook, result)
        isSettled = true
      } catch (error) {
        this.#parts.onFailure(error)
        if (signal.aborted) return
        await delay(wait, undefined, { signal, ref: false }).catch(() => {})
        wait = Math.min(wait * 2, STORE_AGAIN.longest)
      }
    }
  }

  async #settle(
    delivery: DeliveryRecord,
    sentTo: WebhookRecord | undefined,
    { attempt, delivered, gone, retryAfter }: AttemptResult,
  ): Promise<void> {
    const now = this.#parts.clock()
    const at = new Date(now).toISOString()
    const tries = delivery.tries + 1
    const nextAt = delivered || gone ? null : nextAttempt({ ...delivery, tries }, now, retryAfter)
    const unsent = nextAt === null ? 'failed' : 'pending'
    const attempts = [...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS)
    const state = delivered ? 'delivered' : unsent
    // A mail can hold a link, which nobody needs here once it is sent.
    const payload = delivery.to.kind === 'mail' && state !== 'pending' ? '{}' : delivery.payload
    const seen = delivery.nextAt
    const settled = { id: delivery.id, seen, state, nextAt, tries, attempts, payload } as const
    await this.#parts.store.transact(async (tx) => {
      const webhook = (await tx.webhooks()).find(({ id }) => id === sentTo?.id)
      if (webhook === undefined) return await tx.settle({ delivery: settled })
      const failingSince = delivered ? null : (webhook.failingSince ?? at)
      await tx.settle({ delivery: settled, webhook: { id: webhook.id, failingSince } })
      const isFailing = failingSince !== null && now - Date.parse(failingSince) >= DISABLE_AFTER
      if (webhook.disabled !== null || !(gone || isFailing)) return
      const disabled = { at, by: 'failures' } as const
      await tx.setWebhook({ ...webhook, disabled, revision: webhook.revision + 1 })
      await tx.cancelDeliveries(webhook.id)
      const server = { kind: 'server', name: 'server' } as const
      const after = { name: webhook.name, failingSince }
      await tx.appendAudit(auditEntry(at, server, 'webhook.disabled', {}, null, after))
    }, LEADING)
  }

  async #prune(): Promise<void> {
    const { store, clock } = this.#parts
    const before = new Date(clock() - KEEP).toISOString()
    if (await store.hasEnded()) {
      await store.transact((tx) => tx.prune(before, KEEP_OF_EACH), LEADING)
    }
    this.#prunedAt = clock()
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted
  }
}
