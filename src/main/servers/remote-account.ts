import { z } from 'zod'
import { ConnectionError } from '../../remote/connection-error.ts'
import { type GivenCookies, HttpClient, type SessionCookie } from '../../remote/http-client.ts'
import { RemoteCalls } from '../../remote/remote-calls.ts'
import type { Endpoint } from '../../remote/trusted-socket.ts'
import { SignInResult } from '../../shared/console/account.ts'
import { CODE_COOKIE, cookieName } from '../../shared/console/web.ts'

const SignInState = z.object({ hasAccounts: z.boolean(), signedInAs: z.string().nullable() })

/** The code for a second factor. */
export type SecondFactorAnswer = { readonly totp: string } | { readonly recoveryCode: string }

/** A session, and what shows at the next sign-in that there was one; null if the server gives nothing for that. */
export interface Begun {
  readonly session: SessionCookie
  readonly browser: string | null
}

/** What a sign-in led to. */
export type SignInStep =
  | ({ readonly kind: 'signed_in' } & Begun)
  | Extract<SignInResult, { kind: 'second_factor' }>

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
  async signIn(name: string, password: string, code: string | null = null): Promise<SignInStep> {
    const isEncrypted = this.#endpoint.url.startsWith('https:')
    const shown =
      code === null ? null : `${cookieName(CODE_COOKIE, isEncrypted)}=${encodeURIComponent(code)}`
    const cookie = [this.#browser, shown].filter((pair) => pair !== null).join('; ')
    const { answer, cookies } = await this.#call('mutation', 'signIn', { name, password }, cookie)
    const result = SignInResult.safeParse(answer)
    if (!result.success) throw new ConnectionError('not_tidegate')
    if (result.data.kind === 'second_factor') return result.data
    return { kind: 'signed_in', ...begun(cookies) }
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
