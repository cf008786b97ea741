import { z } from 'zod'
import type { Endpoint } from '../../remote/trusted-socket.ts'
import { MAX_REMOTE_SERVERS, RemoteServer } from '../../shared/console/desktop/remote-servers.ts'
import { Preferences, type PreferencesChange } from '../../shared/console/desktop/shell.ts'
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts'

const { savedDeviceFilters } = Preferences.shape

/** What is remembered of a server. */
export const RememberedServer = RemoteServer.extend({
  /** The session, encrypted by the system, in base64; null if there is none, or none is kept. */
  session: z.string().max(8_192).nullable().default(null),
  /** The cookie that shows that somebody has signed in from this app before; null if nobody has. */
  browser: z.string().max(1_024).nullable().default(null),
  /** The filters that were saved while this server was in use. */
  savedDeviceFilters: savedDeviceFilters.default([]),
})
export type RememberedServer = z.output<typeof RememberedServer>

/** Returns where a server is, and which certificate it has. */
export function endpointOf({ address, pin }: RememberedServer): Endpoint {
  return { url: address, pin }
}

const Content = z.strictObject({
  current: z.uuid().nullable().default(null),
  servers: z.array(RememberedServer).max(MAX_REMOTE_SERVERS).default([]),
})
type Content = z.output<typeof Content>

/** The servers that the app connects to beside its own, in a file, and which one is in use. */
export class ServerList {
  readonly #file: string
  #content: Content

  /** Reads the file. One that is broken is renamed, as with the settings. */
  constructor(file: string) {
    this.#file = file
    this.#content = readJsonFile(file, Content)
  }

  get servers(): readonly RememberedServer[] {
    return this.#content.servers
  }

  /** The server in use; undefined for the app's own. */
  get current(): RememberedServer | undefined {
    const { current } = this.#content
    return current === null ? undefined : this.find(current)
  }

  find(id: string): RememberedServer | undefined {
    return this.servers.find((server) => server.id === id)
  }

  /** Throws the error of the file system, as the methods below do. */
  add(server: RememberedServer): void {
    this.#save({ ...this.#content, servers: [...this.servers, server] })
  }

  /** Does nothing if the server was removed. */
  change(id: string, change: Partial<Omit<RememberedServer, 'id'>>): void {
    const servers = this.servers.map((server) =>
      server.id === id ? { ...server, ...change } : server,
    )
    this.#save({ ...this.#content, servers })
  }

  /** Removes a server. If it was in use, the app's own is from then on. */
  remove(id: string): void {
    const servers = this.servers.filter((server) => server.id !== id)
    const current = this.#content.current === id ? null : this.#content.current
    this.#save({ current, servers })
  }

  /** `id`: null for the app's own server. */
  use(id: string | null): void {
    this.#save({ ...this.#content, current: id })
  }

  #save(content: Content): void {
    writeJsonFile(this.#file, content)
    this.#content = content
  }
}

/** Returns the preferences, with the filters that were saved for the server in use. */
export function withFilters({ current }: ServerList, preferences: Preferences): Preferences {
  if (current === undefined) return preferences
  return { ...preferences, savedDeviceFilters: current.savedDeviceFilters }
}

/** Keeps the saved filters of a change if they are those of a remote server. Returns the rest of the change. */
export function keepFilters(list: ServerList, change: PreferencesChange): PreferencesChange {
  const { current } = list
  const { savedDeviceFilters, ...rest } = change
  if (current === undefined || savedDeviceFilters === undefined) return change
  list.change(current.id, { savedDeviceFilters })
  return rest
}
