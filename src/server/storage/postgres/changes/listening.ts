import type pg from 'pg'
import type { PostgresDatabase } from '../connection/database.ts'
import { CHANNEL, FILES, type Revisions, SELECT_REVISIONS } from '../transactions/parts.ts'

/** Milliseconds between questions, besides those after a notification. */
const INTERVAL = 1_000
/** Milliseconds for an answer; without one, the connection counts as lost. */
const ANSWER_TIME = 3_000

/** The channel of messages between nodes, which are not about commits. */
export const MESSAGES = 'tidegate_messages'

interface Heard {
  /** Called with the newest revisions, at least every second. */
  onSeen(revisions: Revisions): void
  /** Called after commits that changed the files that all nodes know. */
  onFiles(): void
  onMessage(payload: string): void
}

/** A connection that listens for commits, and for messages while somebody wants them. */
export class Listening {
  /** As of its beginning. */
  readonly revisions: Revisions
  readonly #client: pg.Client
  readonly #lost: Promise<never>

  /** Rejects if the database cannot be reached. */
  static async begin(database: PostgresDatabase): Promise<Listening> {
    const client = await database.connect()
    const lost = lossOf(client)
    try {
      await Promise.race([client.query(`LISTEN ${CHANNEL}`), lost])
      return new Listening(client, lost, await ask(client))
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  private constructor(client: pg.Client, lost: Promise<never>, revisions: Revisions) {
    this.#client = client
    this.#lost = lost
    this.revisions = revisions
  }

  /** Begins or stops to listen for messages. A failure is that of the connection, which `follow` finds. */
  setMessages(wanted: boolean): void {
    this.#client.query(`${wanted ? 'LISTEN' : 'UNLISTEN'} ${MESSAGES}`).catch(() => {})
  }

  /** Reports what it hears until `signal` is aborted, and then ends the connection. Rejects when the connection is lost. */
  async follow({ onSeen, onFiles, onMessage }: Heard, signal: AbortSignal): Promise<void> {
    const client = this.#client
    const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>()
    let isAsking = false
    let isDue = false
    const look = async () => {
      isDue = true
      if (isAsking) return
      isAsking = true
      try {
        while (isDue && !signal.aborted) {
          isDue = false
          onSeen(await ask(client))
        }
      } catch (error) {
        fail(error)
      } finally {
        isAsking = false
      }
    }
    const onNotification = ({ channel, payload = '' }: pg.Notification) => {
      if (channel === MESSAGES) onMessage(payload)
      else if (payload === FILES) onFiles()
      else void look()
    }
    client.on('notification', onNotification)
    const timer = setInterval(() => void look(), INTERVAL)
    const onAbort = () => end()
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) end()
    try {
      await Promise.race([over, this.#lost])
    } finally {
      clearInterval(timer)
      client.off('notification', onNotification)
      signal.removeEventListener('abort', onAbort)
      await client.end().catch(() => {})
    }
  }
}

async function ask(client: pg.Client): Promise<Revisions> {
  const query = { text: SELECT_REVISIONS, query_timeout: ANSWER_TIME }
  const { rows } = await client.query<{ catalog: number; people: number; outbox: number }>(query)
  const [revisions] = rows
  if (revisions === undefined) throw new Error('the database has no revisions')
  return revisions
}

/** Rejects when the connection ends. Without a listener, that would end the process. */
function lossOf(client: pg.Client): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  client.on('error', reject)
  client.on('end', () => reject(new Error('the connection ended')))
  promise.catch(() => {})
  return promise
}
