import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readAddress } from '../../remote/address.ts'
import {
  CertificateError,
  ConnectionError,
  RemoteCallError,
} from '../../remote/connection-error.ts'
import { type GivenCookies, HttpClient, type SessionCookie } from '../../remote/http-client.ts'
import { RemoteCalls } from '../../remote/remote-calls.ts'
import type { Endpoint } from '../../remote/trusted-socket.ts'
import { CODE_COOKIE, cookieName } from '../../shared/console/bridge/web.ts'
import {
  type AddOutcome,
  MAX_REMOTE_SERVERS,
  type RemoteSignIn,
  type ServerToAdd,
} from '../../shared/console/desktop/remote-servers.ts'
import { SignInResult } from '../../shared/console/people/account.ts'
import { endpointOf, type RememberedServer, type ServerList } from './server-list.ts'
import type { Session } from './sessions.ts'

const SignInState = z.object({ hasAccounts: z.boolean(), signedInAs: z.string().nullable() })

/** The code for a second factor. */
export type SecondFactorAnswer = { readonly totp: string } | { readonly recoveryCode: string }

/** A session, and what shows at the next sign-in that there was one; null if the server gives nothing for that. */
interface Begun {
  readonly session: SessionCookie
  readonly browser: string | null
}

type SecondFactorAsked = Extract<SignInResult, { kind: 'second_factor' }>

/** A session that has begun, or what the person sees instead. */
export type SignInStep =
  | { readonly session: Session; readonly browser: string | null }
  | { readonly answer: RemoteSignIn }

/**
 * Signing in on another server, and out again. Each call connects anew. They reject with a `RemoteCallError` for what
 * the server refuses, and with a `ConnectionError` if it cannot be asked.
 */
export class RemoteAccount {
  readonly #endpoint: Endpoint
  readonly #browser: string | null

  /** `browser`: what an earlier sign-in gave. */
  constructor(endpoint: Endpoint, browser: string | null = null) {
    this.#endpoint = endpoint
    this.#browser = browser
  }

  /** Resolves if a console answers that people can sign in to. */
  async check(): Promise<void> {
    const { answer } = await this.#call('query', 'state', undefined)
    const state = SignInState.safeParse(answer)
    if (!state.success) throw new ConnectionError('not_tidegate')
    if (!state.data.hasAccounts) throw new ConnectionError('not_set_up')
  }

  /** `code`: what the server's computer prints, for a console that is for that computer only. */
  async signIn(
    name: string,
    password: string,
    code: string | null = null,
  ): Promise<Begun | SecondFactorAsked> {
    const isEncrypted = this.#endpoint.url.startsWith('https:')
    const shown =
      code === null ? null : `${cookieName(CODE_COOKIE, isEncrypted)}=${encodeURIComponent(code)}`
    const cookie = [this.#browser, shown].filter((pair) => pair !== null).join('; ')
    const { answer, cookies } = await this.#call('mutation', 'signIn', { name, password }, cookie)
    const result = SignInResult.safeParse(answer)
    if (!result.success) throw new ConnectionError('not_tidegate')
    return result.data.kind === 'second_factor' ? result.data : begun(cookies)
  }

  async completeSecondFactor(challenge: string, answer: SecondFactorAnswer): Promise<Begun> {
    const input = { challenge, answer }
    const { cookies } = await this.#call('mutation', 'completeSecondFactor', input)
    return begun(cookies)
  }

  /** Ends a session on the server. */
  async signOut(cookie: string): Promise<void> {
    await this.#call('mutation', 'signOut', undefined, cookie)
  }

  async #call(type: 'query' | 'mutation', path: string, input: unknown, cookie?: string) {
    const http = new HttpClient(this.#endpoint)
    let cookies: GivenCookies = {}
    try {
      const calls = new RemoteCalls({
        http,
        url: `${this.#endpoint.url}/console/account`,
        sender: () => ({ kind: 'page', cookie: cookie || undefined }),
        onCookies: (given) => {
          cookies = given
        },
      })
      const answer = await calls.call({ type, path, input })
      return { answer, cookies: cookies as GivenCookies }
    } finally {
      http.close()
    }
  }
}

function begun({ session, browser }: GivenCookies): Begun {
  if (session === undefined || session === null) throw new ConnectionError('not_tidegate')
  return { session, browser: browser ?? null }
}

/** Sends a password, or a second factor that was asked for. */
export type SignInAttempt = (account: RemoteAccount) => Promise<Begun | SecondFactorAsked>

/** Signs in. Rejects with a `RemoteCallError` for what the server refuses. */
export async function signIn(
  server: RememberedServer,
  name: string,
  attempt: SignInAttempt,
): Promise<SignInStep> {
  try {
    const step = await attempt(new RemoteAccount(endpointOf(server), server.browser))
    if ('challenge' in step) {
      const { challenge, methods } = step
      return { answer: { outcome: 'second_factor', challenge, methods } }
    }
    return { session: { ...step.session, signedInAs: name }, browser: step.browser }
  } catch (error) {
    if (asksForCode(error)) return { answer: { outcome: 'code_needed' } }
    if (!(error instanceof ConnectionError)) throw error
    return { answer: { outcome: 'failed', failure: error.failure } }
  }
}

function asksForCode(error: unknown): boolean {
  if (!(error instanceof RemoteCallError) || !('refusal' in error.error)) return false
  return error.error.refusal.code === 'console_code_needed'
}

/** Adds a server to the list once it answers, and its certificate is trusted or the one that the person compared. */
export async function addServer(
  list: ServerList,
  { address, name, color, pin, allowPlainHttp }: ServerToAdd,
): Promise<AddOutcome> {
  const read = readAddress(address)
  if (read === undefined) return { outcome: 'invalid_address' }
  const isKnown = () => list.servers.some(({ address: known }) => known === read.url)
  if (isKnown()) return { outcome: 'already_added' }
  if (list.servers.length >= MAX_REMOTE_SERVERS) return { outcome: 'too_many' }
  if (!read.isEncrypted && !read.isLoopback && !allowPlainHttp) return { outcome: 'plain_http' }
  const endpoint = { url: read.url, pin: read.isEncrypted ? pin : null }
  try {
    await new RemoteAccount(endpoint).check()
  } catch (error) {
    return failedAddition(error)
  }
  // Added twice while the server answered.
  if (isKnown()) return { outcome: 'already_added' }
  const id = randomUUID()
  const added = { id, name, color, address: read.url, pin: endpoint.pin }
  list.add({ ...added, session: null, browser: null, savedDeviceFilters: [] })
  return { outcome: 'added', id }
}

function failedAddition(error: unknown): AddOutcome {
  if (error instanceof CertificateError) {
    const { presented, failure } = error
    return { outcome: 'untrusted', fingerprint: presented, reason: failure.detail }
  }
  if (error instanceof ConnectionError) return { outcome: 'failed', failure: error.failure }
  throw error
}
