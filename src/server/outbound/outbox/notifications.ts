import { TEST_PUSH } from '../../../shared/events/notice.ts'
import type {
  BrowserSubscription,
  NotificationChoices,
  OwnNotifications,
} from '../../../shared/events/notifications.ts'
import { Refusal, temporarily } from '../../catalog/errors.ts'
import { TokenBuckets } from '../../runtime/limits/token-buckets.ts'
import { newDelivery } from './collecting.ts'
import { drawPushKey, isPushService, publicPushKey } from './push/push-key.ts'
import { encryptFor } from './push/push-sender.ts'
import type { OutboxStore, OutboxWrites, PushSubscriptionRecord } from './store.ts'

/** Most browsers of a person, and of all people. */
const MAX_BROWSERS = 10
const MAX_BROWSERS_OF_ALL = 2_000
/** Browsers that a person adds in a minute: each gets a notification at once. */
const ADDED = { capacity: 10, period: 60_000 }

export interface NotificationsParts {
  readonly store: OutboxStore
  /** Hosts of push services beside those of browsers; null where push notifications are turned off. */
  readonly pushHosts: readonly string[] | null
  readonly isMailing: boolean
  readonly clock: () => number
  readonly newId: () => string
  /** Called when something became due. */
  readonly wake: () => void
}

export interface Subscriber {
  readonly accountId: string
  readonly sessionId: string
  readonly userAgent: string
}

/** How people are notified: what they choose, and the browsers in which they get push notifications. */
export class Notifications {
  readonly #parts: NotificationsParts
  readonly #added = new TokenBuckets(ADDED)

  constructor(parts: NotificationsParts) {
    this.#parts = parts
  }

  /** Returns how a person is notified. */
  async of(accountId: string): Promise<OwnNotifications> {
    const { store, isMailing, pushHosts } = this.#parts
    const key = pushHosts === null ? null : await this.key()
    const browsers = pushHosts === null ? [] : await store.subscriptionsOf(accountId)
    return {
      choices: await store.choicesOf(accountId),
      isMailing,
      pushKey: key === null ? null : publicPushKey(key),
      browsers: browsers.map(({ id, userAgent, createdAt, failingSince, dropped }) => {
        return { id, userAgent, createdAt, failingSince, dropped }
      }),
    }
  }

  /** Returns the key of the server for push services: see `drawPushKey`. Makes it if there is none yet. */
  async key(): Promise<string> {
    const { store } = this.#parts
    return (await store.pushKey()) ?? (await this.#makeKey())
  }

  /** Replaces what a person is notified about. */
  async choose(accountId: string, choices: NotificationChoices): Promise<void> {
    await this.#change((tx) => tx.setChoices(accountId, choices))
  }

  /**
   * Sends notifications to a browser from now on, and the first at once. One that has the subscription of somebody else
   * becomes the person's own. Returns its ID. Throws `push_service_unknown`, `invalid_input`, `too_many_browsers` and
   * `too_many_attempts`.
   */
  async add(by: Subscriber, { endpoint, keys }: BrowserSubscription): Promise<string> {
    const { pushHosts, newId, clock, wake } = this.#parts
    const url = new URL(endpoint)
    if (pushHosts === null || !isPushService(url, pushHosts)) {
      throw new Refusal({ code: 'push_service_unknown', path: ['endpoint'], host: url.host })
    }
    requireKey(keys)
    const { allowed, retrySeconds } = this.#added.take(by.accountId)
    if (!allowed) throw new Refusal({ code: 'too_many_attempts', retrySeconds })
    const now = clock()
    const id = newId()
    await this.#change(async (tx) => {
      const own = await tx.subscriptionsOf(by.accountId)
      const others = own.filter((known) => known.endpoint !== endpoint)
      const isFull = (await tx.countSubscriptions()) >= MAX_BROWSERS_OF_ALL
      if (others.length >= MAX_BROWSERS || (isFull && others.length === own.length)) {
        throw new Refusal({ code: 'too_many_browsers', maximum: MAX_BROWSERS })
      }
      const { accountId, sessionId, userAgent } = by
      await tx.insertSubscription({
        ...{ id, accountId, sessionId, userAgent, endpoint, ...keys },
        ...{ createdAt: new Date(now).toISOString(), failingSince: null, dropped: 0 },
      })
      const to = { kind: 'push', subscriptionId: id, accountId } as const
      const payload = JSON.stringify({ type: TEST_PUSH })
      await tx.insertDelivery(newDelivery({ to, type: TEST_PUSH, payload, now }))
    })
    wake()
    return id
  }

  /** Notes that the session of a person uses a browser. Returns its ID; null if it gets no notifications of theirs. */
  async keep({ accountId, sessionId }: Subscriber, endpoint: string): Promise<string | null> {
    const known = (list: readonly PushSubscriptionRecord[]) =>
      list.find((each) => each.endpoint === endpoint)
    const found = known(await this.#parts.store.subscriptionsOf(accountId))
    if (found === undefined) return null
    if (found.sessionId !== sessionId) {
      await this.#change(async (tx) => {
        const still = known(await tx.subscriptionsOf(accountId))
        if (still !== undefined) await tx.setSubscriptionSession(still.id, sessionId)
      })
    }
    return found.id
  }

  /** Sends nothing more to a browser of a person. Does nothing for one that is not theirs. */
  async remove(accountId: string, id: string): Promise<void> {
    await this.#change(async (tx) => {
      const own = await tx.subscriptionsOf(accountId)
      if (own.some((known) => known.id === id)) await tx.removeSubscription(id)
    })
  }

  async #makeKey(): Promise<string> {
    const drawn = drawPushKey()
    return await this.#change(async (tx) => {
      // Another node may have made it.
      const known = await tx.pushKey()
      if (known === null) await tx.setPushKey(drawn)
      return known ?? drawn
    })
  }

  #change<T>(work: (tx: OutboxWrites) => Promise<T>): Promise<T> {
    return temporarily(() => this.#parts.store.transact(work))
  }
}

/** Throws `invalid_input` for a public key that is no point of the curve: nothing could be encrypted for it. */
function requireKey(keys: BrowserSubscription['keys']): void {
  try {
    encryptFor(keys, '')
  } catch {
    const path = ['keys', 'p256dh']
    throw new Refusal({ code: 'invalid_input', path, reason: 'must be a public key' })
  }
}
