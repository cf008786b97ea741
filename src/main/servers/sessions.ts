import { z } from 'zod'
import type { ListedServer, ServersView } from '../../shared/console/desktop/remote-servers.ts'
import type { ServerList } from './server-list.ts'
import type { Vault } from './vault.ts'

const Session = z.strictObject({
  /** Name and value, as the server set them. */
  cookie: z.string(),
  expiresAt: z.iso.datetime(),
  /** The name of the account. */
  signedInAs: z.string(),
})

/** A session on a server. */
export type Session = z.output<typeof Session>

/** The sessions on other servers: in memory, and encrypted in the list of servers where the system can do that. */
export class Sessions {
  readonly #list: ServerList
  readonly #vault: Vault
  readonly #sessions = new Map<string, Session>()

  constructor(list: ServerList, vault: Vault) {
    this.#list = list
    this.#vault = vault
  }

  /** Decrypts the sessions of earlier runs. Those that cannot be read, or have expired, are forgotten. */
  async load(): Promise<void> {
    for (const { id, session } of this.#list.servers) {
      if (session === null) continue
      const read = await this.#read(session)
      // Somebody may have signed in meanwhile.
      if (this.#sessions.has(id)) continue
      if (read === undefined) this.forget(id)
      else this.#sessions.set(id, read)
    }
  }

  /** Undefined for what the system has no key for any more, and for what has expired. */
  async #read(encrypted: string): Promise<Session | undefined> {
    try {
      const session = Session.parse(JSON.parse(await this.#vault.decrypt(encrypted)))
      return Date.parse(session.expiresAt) > Date.now() ? session : undefined
    } catch {
      return undefined
    }
  }

  /** Returns the session on a server; undefined if there is none. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  /** Whether a session outlives the app. */
  isKept(): Promise<boolean> {
    return this.#vault.isAvailable().catch(() => false)
  }

  /** Keeps a session, in memory only if the system cannot encrypt. */
  async keep(id: string, session: Session): Promise<void> {
    this.#sessions.set(id, session)
    const isKept = await this.isKept()
    const encrypted = isKept
      ? await this.#vault.encrypt(JSON.stringify(session)).catch(() => null)
      : null
    // Another session may have come meanwhile, or an end.
    if (this.#sessions.get(id) === session) this.#list.change(id, { session: encrypted })
  }

  /** Forgets the session on a server, or `session` alone if there is another one by now. */
  forget(id: string, session = this.#sessions.get(id)): void {
    if (this.#sessions.get(id) !== session) return
    this.#sessions.delete(id)
    const stored = this.#list.find(id)
    if (stored !== undefined && stored.session !== null) this.#list.change(id, { session: null })
  }
}

/** Returns the servers as the page lists them, with who is signed in. */
export function serversView(list: ServerList, sessions: Sessions): ServersView {
  const servers = list.servers.map(
    ({ id, name, color, address, pin }): ListedServer => ({
      ...{ id, name, color, address, pin },
      signedInAs: sessions.get(id)?.signedInAs ?? null,
    }),
  )
  return { current: list.current?.id ?? null, servers }
}
