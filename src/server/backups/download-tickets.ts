import { randomBytes } from 'node:crypto'
import type { KeptCopy } from '../../shared/console/settings/backups.ts'
import { keepLatest } from '../runtime/keep-latest.ts'

/** Milliseconds for which a ticket can be used. */
const VALID = 30_000
/** Tickets that wait to be used; beyond them the oldest is void. */
const MAX_TICKETS = 100

interface Ticket {
  readonly sessionId: string
  readonly copy: KeptCopy
  readonly expiresAt: number
}

/** Tickets for downloads: a link cannot carry the header that calls of the console have. In memory only. */
export class DownloadTickets {
  readonly #tickets = new Map<string, Ticket>()
  readonly #now: () => number

  /** `now`: Unix time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Issues a ticket for one download of a backup in that session, within 30 seconds. */
  issue(sessionId: string, copy: KeptCopy): string {
    const ticket = randomBytes(24).toString('base64url')
    const issued = { sessionId, copy, expiresAt: this.#now() + VALID }
    keepLatest(this.#tickets, ticket, issued, MAX_TICKETS)
    return ticket
  }

  /** Takes a ticket, which is void then. Returns its backup, or undefined if the ticket is not valid in that session. */
  take(ticket: string, sessionId: string): KeptCopy | undefined {
    const found = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    if (found?.sessionId !== sessionId || this.#now() >= found.expiresAt) return undefined
    return found.copy
  }
}
