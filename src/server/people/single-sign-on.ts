import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { Refusal } from '../catalog/errors.ts'
import type { Caller, Identity, Session, SignedIn } from './account.ts'
import { boundedCaller, personActor } from './caller.ts'
import type { Directory } from './directory.ts'
import { linkInvalid, linksOf, validLink } from './links.ts'
import { Pending } from './pending.ts'
import { ProviderCalls } from './provider-calls.ts'
import { type ProviderConfig, ProviderMetadata } from './provider-metadata.ts'
import { Sealed } from './sealed.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import type { SignInEntries } from './sign-in-state.ts'
import { identityKey, type PeopleSnapshot, type StoredAccount } from './snapshot.ts'
import { UsedOnce } from './used-once.ts'

/** Milliseconds that a person has to sign in at the provider. */
const ROUND_TRIP_TIME = 10 * 60_000
/** Round trips of one account that are to link it. */
const MAX_LINKING = 10
/** Round trips that are remembered as spent: strangers can begin any number. */
const MAX_SPENT = 10_000

/** What a sign-in at the provider is for, beside signing in. */
export interface SignOnPurpose {
  /** The token of an invitation, whose account is linked to the identity. */
  readonly link?: string | undefined
  /** The session of the person whose account is linked to the identity. */
  readonly session?: Session | undefined
}

const RoundTrip = z.strictObject({
  state: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  link: z.string().optional(),
  /** Stands for a session, whose account is linked. The session itself is kept: who can seal could name any. */
  linking: z.string().optional(),
})
type RoundTrip = Readonly<z.infer<typeof RoundTrip>>

/** The session in which a person began to link an account. */
const Linking = z.strictObject({ accountId: z.string(), sessionId: z.string() })
type Linking = Readonly<z.infer<typeof Linking>>

/** What a round trip to the provider led to: a session, or an identity that is linked to the account of one. */
export type SignOnResult = ({ readonly kind: 'signed_in' } & SignedIn) | { readonly kind: 'linked' }

interface Parts {
  readonly directory: Directory
  readonly sessions: Sessions
  readonly signIn: SignIn
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
  readonly #linking: Pending<Linking>
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
    const linking = { kind: 'linking', schema: Linking, maximum: MAX_LINKING }
    this.#linking = new Pending({ entries, time, ...linking })
  }

  /** The host name of the provider. */
  get provider(): string {
    return new URL(this.#parts.config.issuer).hostname
  }

  /**
   * Returns the address at the provider to send the browser to, and the sealed round trip, which the caller
   * keeps in a cookie of the same browser until it comes back. Throws `single_sign_on_failed` and `link_invalid`.
   */
  async begin(
    redirectUri: string,
    { link, session }: SignOnPurpose = {},
  ): Promise<{ readonly url: string; readonly roundTrip: string }> {
    if (link !== undefined) this.#requireInvitation(link, this.#parts.directory.snapshot)
    const client = await import('openid-client')
    const config = await this.#configuration()
    const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
    const state = client.randomState()
    const linking = session && (await this.#beginLinking(session))
    const roundTrip = { state, redirectUri, verifier, nonce, link, linking }
    const url = client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: 'openid', state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, roundTrip: this.#roundTrips.seal(roundTrip) }
  }

  /**
   * Signs in who comes back from the provider, or links the identity to the account of the session that began
   * this. `query`: that of the redirect; `sealed`: the round trip from the cookie of the browser, which the first call
   * that reaches the provider spends. Throws `single_sign_on_failed`, `provider_unavailable`, `too_many_attempts`,
   * `sign_in_expired`, `identity_unknown`, `link_invalid`, `identity_taken` and `sign_in_failed`.
   */
  async finish(query: URLSearchParams, sealed: string, caller: Caller): Promise<SignOnResult> {
    const roundTrip = this.#roundTrips.open(sealed)
    if (roundTrip === undefined || query.get('state') !== roundTrip.state) throw expired()
    this.#calls.requireAvailable()
    const takeBack = await this.#parts.limits.beginSignOn(caller.address)
    // Before the provider is asked: one round trip is one call, on all servers.
    if (!(await this.#spent.add(roundTrip.state))) throw expired()
    const identity = await this.#identity(query, roundTrip)
    await takeBack()
    const accountId = await this.#accountFor(identity, roundTrip, caller)
    if (roundTrip.linking !== undefined) return { kind: 'linked' }
    const signedIn = await this.#parts.signIn.begin(accountId, caller, async ({ account }) => {
      if (!account.identities.some((linked) => identityKey(linked) === identityKey(identity))) {
        throw new Refusal({ code: 'identity_unknown' })
      }
    })
    return { kind: 'signed_in', ...signedIn }
  }

  #beginLinking({ id: sessionId, account }: Session): Promise<string> {
    return this.#linking.add({ accountId: account.id, sessionId })
  }

  async #identity(
    query: URLSearchParams,
    { state: expectedState, redirectUri, verifier, nonce }: RoundTrip,
  ): Promise<Identity> {
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
      return { issuer: claims.iss, subject: claims.sub }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** The account that an identity signs in to, linked now if that is what the round trip was for. */
  async #accountFor(
    identity: Identity,
    { link, linking }: RoundTrip,
    caller: Caller,
  ): Promise<string> {
    const { directory, sessions } = this.#parts
    const found = directory.snapshot.accountByIdentity.get(identityKey(identity))
    if (link === undefined && linking === undefined) {
      if (found === undefined) throw new Refusal({ code: 'identity_unknown' })
      return found.record.id
    }
    const begun = linking === undefined ? undefined : await this.#linking.get(linking)
    return await directory.change(async ({ tx, stored, at, audit }) => {
      const owner = (id: string | undefined) =>
        id === undefined ? undefined : stored.accountById.get(id)
      const invited = link === undefined ? undefined : this.#requireInvitation(link, stored)
      const account = invited ?? owner(sessions.byId(begun?.sessionId ?? '')?.account.id)
      if (account === undefined) throw expired()
      const { id, name } = account.record
      const holder = stored.accountByIdentity.get(identityKey(identity))
      if (holder !== undefined && holder.record.id !== id) {
        throw new Refusal({ code: 'identity_taken', name: holder.record.name })
      }
      if (holder !== undefined) return id
      await tx.insertIdentity({ ...identity, accountId: id, createdAt: at })
      const actor = personActor(name, boundedCaller(caller))
      await audit(actor, 'person.identity_linked', null, { name, ...identity })
      if (invited === undefined) return id
      await tx.deleteLinks(linksOf(stored, id))
      await audit(actor, 'person.invitation_accepted', null, { name })
      return id
    })
  }

  #requireInvitation(token: string, people: PeopleSnapshot): StoredAccount {
    const link = validLink(people, token, this.#parts.directory.now())
    const account = people.accountById.get(link?.accountId ?? '')
    if (link?.kind !== 'invitation' || account === undefined) throw linkInvalid()
    return account
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

function expired(): Refusal {
  return new Refusal({ code: 'sign_in_expired' })
}
