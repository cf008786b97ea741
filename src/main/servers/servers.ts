import type { Procedures } from '../../shared/console/bridge/procedures.ts'
import type {
  AddOutcome,
  RemoteSignIn,
  ServerColor,
  ServersView,
  ServerToAdd,
} from '../../shared/console/desktop/remote-servers.ts'
import type { ServerReach, ServerState } from '../../shared/console/desktop/shell.ts'
import { Broadcast } from '../ipc/broadcast.ts'
import {
  addServer,
  RemoteAccount,
  type SecondFactorAnswer,
  type SignInAttempt,
  type SignInStep,
  signIn,
} from './remote-account.ts'
import { RemoteServer } from './remote-server.ts'
import { endpointOf, type RememberedServer, type ServerList } from './server-list.ts'
import { type Session, type Sessions, serversView } from './sessions.ts'

export interface ServersParts {
  readonly list: ServerList
  readonly sessions: Sessions
  /** The app's own server. */
  readonly own: { state(): ServerState; retry(): void }
  /** Loads the page anew: nothing of one server stays in it when another is used. */
  readonly reloadPage: () => void
  readonly log: (error: unknown) => void
}

/** The servers that the console can show, and the one that it shows. */
export class Servers {
  readonly #parts: ServersParts
  readonly #views = new Broadcast<ServersView>()
  readonly #states = new Broadcast<ServerReach>()
  #remote: RemoteServer | undefined

  constructor(parts: ServersParts) {
    this.#parts = parts
  }

  /** Connects to the server that was in use last. */
  async start(): Promise<void> {
    if (this.#parts.list.servers.length > 0) await this.#parts.sessions.load()
    this.#connect()
    this.#tellView()
  }

  /** Disconnects. */
  stop(): void {
    this.#remote?.close()
  }

  /** How the server in use is: now, and whenever that changes. */
  followState(signal: AbortSignal | undefined): AsyncGenerator<ServerReach, void> {
    return this.#states.follow(signal, () => this.state)
  }

  get state(): ServerReach {
    if (this.#parts.list.current === undefined) return this.#parts.own.state()
    return this.#remote?.state ?? { state: 'starting' }
  }

  /** Call with every state of the app's own server. */
  ownState(state: ServerState): void {
    if (this.#parts.list.current === undefined) this.#states.send(state)
  }

  /** Starts or connects to the server in use now, ahead of the next try. */
  retry(): void {
    if (this.#parts.list.current === undefined) this.#parts.own.retry()
    else this.#remote?.retry()
  }

  /** Who answers the page; undefined if it is the app's own server. */
  procedures(): Procedures | undefined {
    return this.#remote
  }

  followView(signal: AbortSignal | undefined): AsyncGenerator<ServersView, void> {
    return this.#views.follow(signal, () => this.#view())
  }

  /** Adds a server once it answers, and its certificate is trusted or the one that the person compared. */
  async add(toAdd: ServerToAdd): Promise<AddOutcome> {
    const { list } = this.#parts
    const outcome = await addServer(list, toAdd)
    if (outcome.outcome === 'added') this.#tellView()
    return outcome
  }

  /** Changes how a server is called and marked. */
  edit(id: string, change: { readonly name: string; readonly color: ServerColor }): void {
    this.#parts.list.change(id, change)
    this.#tellView()
  }

  /** Forgets a server, and ends the session on it if it can be reached. */
  remove(id: string): void {
    const { list } = this.#parts
    const wasCurrent = list.current?.id === id
    void this.signOut(id)
    list.remove(id)
    this.#tellView()
    if (wasCurrent) this.#switched()
  }

  /** Shows another server; null for the app's own. The page is loaded anew. */
  use(id: string | null): void {
    const { list } = this.#parts
    if (id !== null && list.find(id) === undefined) return
    list.use(id)
    this.#tellView()
    this.#switched()
  }

  /** Accepts another certificate from now on. The session is forgotten: it was begun with who had the former one. */
  trust(id: string, fingerprint: string): void {
    this.#parts.sessions.forget(id)
    this.#parts.list.change(id, { pin: fingerprint, browser: null })
    this.#tellView()
    if (this.#parts.list.current?.id === id) this.#connect()
  }

  /** Rejects with a `RemoteCallError` for what the server refuses. */
  signIn(id: string, name: string, password: string, code: string | null = null) {
    return this.#signIn(id, name, (account) => account.signIn(name, password, code))
  }

  /** Rejects as `signIn` does. */
  completeSignIn(id: string, name: string, challenge: string, answer: SecondFactorAnswer) {
    return this.#signIn(id, name, (account) => account.completeSecondFactor(challenge, answer))
  }

  /** Forgets the session at once, and ends it on the server if that can be reached. Never rejects. */
  async signOut(id: string): Promise<void> {
    const { list, sessions, log } = this.#parts
    const server = list.find(id)
    const session = sessions.get(id)
    if (server === undefined || session === undefined) return
    sessions.forget(id)
    this.#tellView()
    if (list.current?.id === id) this.#connect()
    await new RemoteAccount(endpointOf(server)).signOut(session.cookie).catch(log)
  }

  /** Whether sessions outlive the app. */
  keepsSessions(): Promise<boolean> {
    return this.#parts.sessions.isKept()
  }

  async #signIn(id: string, name: string, attempt: SignInAttempt): Promise<RemoteSignIn> {
    const server = this.#parts.list.find(id)
    if (server === undefined) throw new Error(`there is no server ${id}`)
    const step = await signIn(server, name, attempt)
    if ('answer' in step) return step.answer
    await this.#begin(server, step)
    return { outcome: 'signed_in' }
  }

  async #begin(
    server: RememberedServer,
    { session, browser }: Extract<SignInStep, { readonly session: Session }>,
  ): Promise<void> {
    const { list, sessions } = this.#parts
    // Removed while its server answered.
    if (list.find(server.id) === undefined) return
    await sessions.keep(server.id, session)
    if (browser !== null) list.change(server.id, { browser })
    this.#tellView()
    if (list.current?.id === server.id) this.#connect()
  }

  /** Another server is in use, or none any more. */
  #switched(): void {
    this.#connect()
    this.#parts.reloadPage()
  }

  #connect(): void {
    const { list, sessions, log } = this.#parts
    this.#remote?.close()
    this.#remote = undefined
    const server = list.current
    if (server === undefined) {
      this.#states.send(this.state)
      return
    }
    const remote: RemoteServer = new RemoteServer({
      endpoint: endpointOf(server),
      session: () => sessions.get(server.id),
      onSessionEnded: (session) => {
        sessions.forget(server.id, session)
        this.#tellView()
      },
      onState: (state) => {
        if (this.#remote === remote) this.#states.send(state)
      },
      log,
    })
    this.#remote = remote
    remote.connect()
  }

  #view(): ServersView {
    return serversView(this.#parts.list, this.#parts.sessions)
  }

  #tellView(): void {
    this.#views.send(this.#view())
  }
}
