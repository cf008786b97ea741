import type { Configuration } from 'openid-client'
import { Refusal } from '../catalog/errors.ts'
import type { Caller, Identity, Session, SignedIn } from './account.ts'
import { boundedCaller, personActor } from './caller.ts'
import type { Directory } from './directory.ts'
import { linkInvalid, linksOf, validLink } from './links.ts'
import { Pending } from './pending.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import { identityKey, type PeopleSnapshot, type StoredAccount } from './snapshot.ts'

/** Milliseconds that a person has to sign in at the provider. */
const ROUND_TRIP_TIME = 10 * 60_000
const MAX_ROUND_TRIPS = 1_000
/** Milliseconds after which the provider's metadata is read anew. */
const METADATA_TIME = 3_600_000
/** Seconds that the provider has for each answer. */
const TIMEOUT = 10

/** The identity provider, which this server is registered at. */
export interface ProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What a sign-in at the provider is for, beside signing in. */
export interface SignOnPurpose {
  /** The token of an invitation, whose account is linked to the identity. */
  readonly link?: string | undefined
  /** The session of the person whose account is linked to the identity. */
  readonly session?: Session | undefined
}

interface RoundTrip {
  readonly redirectUri: string
  readonly verifier: string
  readonly nonce: string
  readonly link: string | undefined
  readonly sessionId: string | undefined
}

interface Parts {
  readonly directory: Directory
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly config: ProviderConfig
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
  readonly #roundTrips: Pending<RoundTrip>
  #metadata: { readonly until: number; readonly loaded: Promise<Configuration> } | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    const clock = () => parts.directory.now()
    this.#roundTrips = new Pending({ time: ROUND_TRIP_TIME, maximum: MAX_ROUND_TRIPS, clock })
  }

  /** The host name of the provider. */
  get provider(): string {
    return new URL(this.#parts.config.issuer).hostname
  }

  /**
   * Returns the address at the provider to send the browser to, and the state that it comes back with, which
   * the caller keeps in a cookie of the same browser. Throws `single_sign_on_failed` and `link_invalid`.
   */
  async begin(
    redirectUri: string,
    { link, session }: SignOnPurpose = {},
  ): Promise<{ readonly url: string; readonly state: string }> {
    if (link !== undefined) this.#requireInvitation(link, this.#parts.directory.snapshot)
    const client = await import('openid-client')
    const config = await this.#configuration()
    const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
    const sessionId = session?.id
    const state = this.#roundTrips.add({ redirectUri, verifier, nonce, link, sessionId })
    const url = client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: 'openid', state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, state }
  }

  /**
   * Signs in who comes back from the provider. `query`: that of the redirect; `state`: from the cookie of
   * the browser. Throws `single_sign_on_failed`, `sign_in_expired`, `identity_unknown`, `link_invalid`,
   * `name_taken` (the identity is linked to that account) and `sign_in_failed`.
   */
  async finish(query: URLSearchParams, state: string, caller: Caller): Promise<SignedIn> {
    const roundTrip = query.get('state') === state ? this.#roundTrips.take(state) : undefined
    if (roundTrip === undefined) throw new Refusal({ code: 'sign_in_expired' })
    const identity = await this.#identity(query, state, roundTrip)
    const accountId = await this.#accountFor(identity, roundTrip, caller)
    return await this.#parts.signIn.begin(accountId, caller, async ({ account }) => {
      if (!account.identities.some((linked) => identityKey(linked) === identityKey(identity))) {
        throw new Refusal({ code: 'identity_unknown' })
      }
    })
  }

  async #identity(
    query: URLSearchParams,
    expectedState: string,
    { redirectUri, verifier, nonce }: RoundTrip,
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
    { link, sessionId }: RoundTrip,
    caller: Caller,
  ): Promise<string> {
    const { directory, sessions } = this.#parts
    const found = directory.snapshot.accountByIdentity.get(identityKey(identity))
    if (link === undefined && sessionId === undefined) {
      if (found === undefined) throw new Refusal({ code: 'identity_unknown' })
      return found.record.id
    }
    return await directory.change(async ({ tx, stored, at, audit }) => {
      const owner = (id: string | undefined) =>
        id === undefined ? undefined : stored.accountById.get(id)
      const invited = link === undefined ? undefined : this.#requireInvitation(link, stored)
      const account = invited ?? owner(sessions.byId(sessionId ?? '')?.account.id)
      if (account === undefined) throw new Refusal({ code: 'sign_in_expired' })
      const { id, name } = account.record
      const holder = stored.accountByIdentity.get(identityKey(identity))
      if (holder !== undefined && holder.record.id !== id) {
        throw new Refusal({ code: 'name_taken', name: holder.record.name })
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
    const now = this.#parts.directory.now()
    if (this.#metadata === undefined || this.#metadata.until <= now) {
      const loaded = this.#discover()
      this.#metadata = { until: now + METADATA_TIME, loaded }
      loaded.catch(() => {
        this.#metadata = undefined
      })
    }
    try {
      return await this.#metadata.loaded
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#parts.config
    const server = new URL(issuer)
    // Plain HTTP is for a provider on this computer.
    const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
    const options = { execute, timeout: TIMEOUT }
    return await client.discovery(server, clientId, clientSecret, undefined, options)
  }

  #failed(error: unknown): Refusal {
    this.#parts.onFailure(error)
    return new Refusal({ code: 'single_sign_on_failed' })
  }
}
