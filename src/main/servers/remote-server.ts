import { ConnectionError, RemoteCallError } from '../../remote/connection-error.ts'
import { HttpClient } from '../../remote/http-client.ts'
import { appendRemotely, RemoteCalls } from '../../remote/remote-calls.ts'
import type { Endpoint } from '../../remote/trusted-socket.ts'
import type { CallError } from '../../shared/console/bridge/bridge.ts'
import type { ProcedureRun, Procedures } from '../../shared/console/bridge/procedures.ts'
import type { ServerReach } from '../../shared/console/desktop/shell.ts'
import { APPEND_PIECE, UploadPiece } from '../../shared/console/uploads.ts'
import { LiveConnection, type LiveState } from './live-connection.ts'
import type { Session } from './sessions.ts'

export interface RemoteServerParts {
  readonly endpoint: Endpoint
  readonly session: () => Session | undefined
  /** The server no longer accepts a session. */
  readonly onSessionEnded: (session: Session) => void
  readonly onState: (state: ServerReach) => void
  /** Gets the cause of what fails unexpectedly. */
  readonly log: (error: unknown) => void
}

/** The server in use where it is not the app's own: answers the page's calls by asking it. */
export class RemoteServer implements Procedures {
  readonly #parts: RemoteServerParts
  readonly #http: HttpClient
  readonly #calls: RemoteCalls
  #live: LiveConnection | undefined
  #state: ServerReach = { state: 'starting' }

  constructor(parts: RemoteServerParts) {
    this.#parts = parts
    this.#http = new HttpClient(parts.endpoint)
    this.#calls = new RemoteCalls({
      http: this.#http,
      url: `${parts.endpoint.url}/console/api`,
      sender: () => ({ kind: 'page', cookie: parts.session()?.cookie }),
    })
  }

  get state(): ServerReach {
    return this.#state
  }

  /** Connects with the session as it is now; without one, waits for a sign-in. */
  connect(): void {
    this.#live?.close()
    this.#live = undefined
    const { endpoint, session } = this.#parts
    const current = session()
    if (current === undefined) {
      this.#tell({ state: 'signed_out' })
      return
    }
    const live: LiveConnection = new LiveConnection({
      endpoint,
      cookie: current.cookie,
      onState: (state) => this.#follow(state, current),
    })
    this.#live = live
  }

  /** Tries again now, if the connection is lost. */
  retry(): void {
    this.#live?.retry()
  }

  /** Disconnects for good. */
  close(): void {
    this.#live?.close()
    this.#http.close()
  }

  async run({ type, path, input, signal }: ProcedureRun): Promise<unknown> {
    const session = this.#parts.session()
    if (session === undefined) throw new RemoteCallError(SIGNED_OUT)
    if (type === 'subscription') {
      if (this.#live === undefined) throw new RemoteCallError(SIGNED_OUT)
      return this.#live.subscribe({ path, input }, signal)
    }
    try {
      return await (path === APPEND_PIECE
        ? this.#append(input)
        : this.#calls.call({ type, path, input }))
    } catch (error) {
      if (isSignedOut(error)) this.#endSession(session)
      if (isOutOfContact(error)) this.#live?.noteOutOfContact()
      throw error
    }
  }

  #append(input: unknown): Promise<unknown> {
    const { endpoint, session } = this.#parts
    const sender = { kind: 'page', cookie: session()?.cookie } as const
    const parts = { http: this.#http, url: `${endpoint.url}/console`, sender }
    return appendRemotely(parts, UploadPiece.parse(input))
  }

  toError(error: unknown): CallError {
    if (error instanceof RemoteCallError) return error.error
    if (error instanceof ConnectionError) {
      return { code: 'unavailable', reason: 'server_not_answering' }
    }
    this.#parts.log(error)
    return { code: 'internal', reason: 'app_error' }
  }

  #follow(live: LiveState, session: Session): void {
    if (live.state === 'session_ended') this.#endSession(session)
    else this.#tell(this.#reachOf(live))
  }

  #reachOf(live: Exclude<LiveState, { state: 'session_ended' }>): ServerReach {
    switch (live.state) {
      case 'connecting':
        // What is known to be wrong stays on the screen until it is right.
        return this.#state.state === 'unreachable' ? this.#state : { state: 'starting' }
      case 'open':
        return { state: 'running', address: this.#parts.endpoint.url }
      case 'lost':
        return { ...live, state: 'unreachable' }
      case 'certificate_refused': {
        const { pinned, presented } = live.error
        return { state: 'certificate_refused', pinned, presented }
      }
      default:
        return live satisfies never
    }
  }

  #endSession(session: Session): void {
    this.#parts.onSessionEnded(session)
    // Another one may have begun meanwhile.
    if (this.#parts.session() !== undefined) return
    this.#live?.close()
    this.#live = undefined
    this.#tell({ state: 'signed_out' })
  }

  #tell(state: ServerReach): void {
    this.#state = state
    this.#parts.onState(state)
  }
}

const SIGNED_OUT: CallError = { code: 'unauthenticated', refusal: { code: 'sign_in_needed' } }

function isOutOfContact(error: unknown): boolean {
  if (!(error instanceof RemoteCallError) || !('reason' in error.error)) return false
  return error.error.reason === 'out_of_contact'
}

function isSignedOut(error: unknown): boolean {
  if (!(error instanceof RemoteCallError) || !('refusal' in error.error)) return false
  return error.error.refusal.code === 'sign_in_needed'
}
