import { z } from 'zod'
import { ConnectionError } from '../../remote/connection-error.ts'
import { HttpClient, type SessionCookie } from '../../remote/http-client.ts'
import { RemoteCalls } from '../../remote/remote-calls.ts'
import type { Endpoint } from '../../remote/trusted-socket.ts'
import { SignInResult } from '../../shared/console/account.ts'

const SignInState = z.object({ hasAccounts: z.boolean(), signedInAs: z.string().nullable() })

/** The code for a second factor. */
export type SecondFactorAnswer = { readonly totp: string } | { readonly recoveryCode: string }

/** What a sign-in led to. */
export type SignInStep =
  | { readonly kind: 'signed_in'; readonly session: SessionCookie }
  | Extract<SignInResult, { kind: 'second_factor' }>

/**
 * Signing in on another server, and out again. Each call connects anew. They reject with a `RemoteCallError` for what
 * the server refuses, and with a `ConnectionError` if it cannot be asked.
 */
export class RemoteAccount {
  readonly #endpoint: Endpoint

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  /** Resolves if a console answers that people can sign in to. */
  async check(): Promise<void> {
    const { answer } = await this.#call('query', 'state', undefined)
    const state = SignInState.safeParse(answer)
    if (!state.success) throw new ConnectionError('not_tidegate')
    if (!state.data.hasAccounts) throw new ConnectionError('not_set_up')
  }

  async signIn(name: string, password: string): Promise<SignInStep> {
    const { answer, session } = await this.#call('mutation', 'signIn', { name, password })
    const result = SignInResult.safeParse(answer)
    if (!result.success) throw new ConnectionError('not_tidegate')
    if (result.data.kind === 'second_factor') return result.data
    return { kind: 'signed_in', session: required(session) }
  }

  async completeSecondFactor(
    challenge: string,
    answer: SecondFactorAnswer,
  ): Promise<SessionCookie> {
    const { session } = await this.#call('mutation', 'completeSecondFactor', { challenge, answer })
    return required(session)
  }

  /** Ends a session on the server. */
  async signOut(cookie: string): Promise<void> {
    await this.#call('mutation', 'signOut', undefined, cookie)
  }

  async #call(type: 'query' | 'mutation', path: string, input: unknown, cookie?: string) {
    const http = new HttpClient(this.#endpoint)
    let session: SessionCookie | null = null
    try {
      const calls = new RemoteCalls({
        http,
        url: `${this.#endpoint.url}/console/account`,
        sender: () => ({ kind: 'page', cookie }),
        onSession: (given) => {
          session = given
        },
      })
      const answer = await calls.call({ type, path, input })
      return { answer, session: session as SessionCookie | null }
    } finally {
      http.close()
    }
  }
}

function required(session: SessionCookie | null): SessionCookie {
  if (session === null) throw new ConnectionError('not_tidegate')
  return session
}
