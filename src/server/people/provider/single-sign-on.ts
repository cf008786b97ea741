import type { Configuration } from 'openid-client'
import { Refusal } from '../../catalog/errors.ts'
import type { Caller, Identity, Session } from '../account.ts'
import type { Directory } from '../directory.ts'
import type { Sessions } from '../sessions.ts'
import type { Confirmations } from '../sign-in/confirmations.ts'
import { Pending } from '../sign-in/pending.ts'
import { expired, Sealed } from '../sign-in/sealed.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { SignInLimits } from '../sign-in/sign-in-limits.ts'
import type { SignInEntries } from '../sign-in/sign-in-state.ts'
import { UsedOnce } from '../sign-in/used-once.ts'
import { accountFor, isLinked, requireInvitation } from './linked-account.ts'
import { ProviderCalls } from './provider-calls.ts'
import { type ProviderConfig, ProviderMetadata } from './provider-metadata.ts'
import {
  Begun,
  isFreshSignIn,
  ROUND_TRIP_TIME,
  RoundTrip,
  type SignOnPurpose,
  type SignOnResult,
} from './round-trip.ts'

/** Round trips of one account that began in a session. */
const MAX_BEGUN = 10
/** Round trips that are remembered as spent: strangers can begin any number. */
const MAX_SPENT = 10_000

interface Parts {
  readonly directory: Directory
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly confirmations: Confirmations
  readonly config: ProviderConfig
  readonly limits: SignInLimits
  readonly entries: SignInEntries
  /** See `Sealed`. */
  readonly key: Buffer
  /** Hears why the provider did not confirm a sign-in. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Single sign-on by OpenID Connect: authorization code flow with PKCE, state and nonce. An identity, which
 * is an issuer and a subject, signs in to the account that it was linked to: by an invitation, by its owner
 * or by an administrator. An e-mail address counts for nothing.
 */
export class SingleSignOn {
  readonly #parts: Parts
  readonly #roundTrips: Sealed<RoundTrip>
  /** The states of round trips that somebody came back from, whatever the provider said then. */
  readonly #spent: UsedOnce
  readonly #begun: Pending<Begun>
  readonly #calls: ProviderCalls
  readonly #metadata: ProviderMetadata

  constructor(parts: Parts) {
    this.#parts = parts
    const clock = () => parts.directory.now()
    const { entries, key } = parts
    const time = ROUND_TRIP_TIME
    this.#roundTrips = new Sealed({ key, purpose: 'sign-on', schema: RoundTrip, time, clock })
    this.#calls = new ProviderCalls(clock)
    this.#metadata = new ProviderMetadata(parts.config, this.#calls, clock)
    this.#spent = new UsedOnce({ entries, kind: 'sign-on', time, maximum: MAX_SPENT })
    const begun = { kind: 'linking', schema: Begun, maximum: MAX_BEGUN }
    this.#begun = new Pending({ entries, time, ...begun })
  }

  /** The host name of the provider. */
  get provider(): string {
    return new URL(this.#parts.config.issuer).hostname
  }

  /** Returns the provider's address and the sealed round trip for a cookie. Throws `single_sign_on_failed` and `link_invalid`. */
  async begin(
    redirectUri: string,
    { link, session, sessionFor: purpose = 'linking' }: SignOnPurpose = {},
  ): Promise<{ readonly url: string; readonly roundTrip: string }> {
    if (link !== undefined) requireInvitation(this.#parts.directory, link)
    const client = await import('openid-client')
    const config = await this.#configuration()
    const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
    const state = client.randomState()
    const begun = session && (await this.#begin(session, purpose))
    const roundTrip = { state, redirectUri, verifier, nonce, link, session: begun }
    const isConfirming = session !== undefined && purpose === 'confirming'
    const url = client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: 'openid', state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isConfirming ? { max_age: '0' } : {}),
    })
    return { url: url.href, roundTrip: this.#roundTrips.seal(roundTrip) }
  }

  /**
   * Signs in who comes back from the provider, or links the identity to the account of the session that began
   * this, or confirms that session. `query`: that of the redirect; `sealed`: the round trip from the cookie of the browser,
   * which the first call that reaches the provider spends. Throws `single_sign_on_failed`, `provider_unavailable`,
   * `too_many_attempts`, `sign_in_expired`, `identity_unknown`, `link_invalid`, `identity_taken` and `sign_in_failed`.
   */
  async finish(query: URLSearchParams, sealed: string, caller: Caller): Promise<SignOnResult> {
    const roundTrip = this.#roundTrips.open(sealed)
    if (roundTrip === undefined || query.get('state') !== roundTrip.state) throw expired()
    this.#calls.requireAvailable()
    const takeBack = await this.#parts.limits.beginSignOn(caller.address)
    // Before the provider is asked: one round trip is one call, on all servers.
    if (!(await this.#spent.add(roundTrip.state))) throw expired()
    const { identity, authTime } = await this.#identity(query, roundTrip)
    await takeBack()
    const { session } = roundTrip
    const begun = session === undefined ? undefined : await this.#begun.get(session)
    if (session !== undefined && begun === undefined) throw expired()
    if (begun?.purpose === 'confirming') {
      return { kind: 'confirmation', refusal: await this.#confirm(identity, authTime, begun) }
    }
    const accountId = await accountFor(
      this.#parts,
      identity,
      { link: roundTrip.link, begun },
      caller,
    )
    if (begun !== undefined) return { kind: 'linked' }
    const signedIn = await this.#parts.signIn.begin(accountId, caller, async ({ account }) => {
      if (!isLinked(account, identity)) throw new Refusal({ code: 'identity_unknown' })
    })
    return { kind: 'signed_in', ...signedIn }
  }

  #begin({ id: sessionId, account }: Session, purpose: Begun['purpose']): Promise<string> {
    const at = this.#parts.directory.now()
    return this.#begun.add({ accountId: account.id, sessionId, purpose, at })
  }

  async #confirm(identity: Identity, authTime: unknown, { sessionId, at }: Begun) {
    const { sessions, confirmations } = this.#parts
    const session = sessions.byId(sessionId)
    if (session === undefined) return expired()
    if (!isLinked(session.account, identity)) return new Refusal({ code: 'unknown_identity' })
    if (!isFreshSignIn(authTime, at)) return new Refusal({ code: 'sign_in_not_fresh' })
    await confirmations.note(session)
    return null
  }

  async #identity(
    query: URLSearchParams,
    { state: expectedState, redirectUri, verifier, nonce }: RoundTrip,
  ): Promise<{ readonly identity: Identity; readonly authTime: unknown }> {
    const client = await import('openid-client')
    const config = await this.#configuration()
    const current = new URL(redirectUri)
    current.search = query.toString()
    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, idTokenExpected: true }
    try {
      const tokens = await client.authorizationCodeGrant(config, current, {
        ...checks,
        expectedState,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('no ID token')
      const { iss: issuer, sub: subject, auth_time: authTime } = claims
      return { identity: { issuer, subject }, authTime }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async #configuration(): Promise<Configuration> {
    this.#calls.requireAvailable()
    try {
      return await this.#metadata.configuration()
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): Refusal {
    if (error instanceof Refusal) return error
    this.#parts.onFailure(error)
    const { retrySeconds } = this.#calls
    if (retrySeconds === 0) return new Refusal({ code: 'single_sign_on_failed' })
    return new Refusal({ code: 'provider_unavailable', retrySeconds })
  }
}
