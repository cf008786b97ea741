import type { SecondFactor, SessionKind } from '../../shared/access/person.ts'
import { showInvisible } from '../../shared/basics/visible.ts'
import type { LinkedIdentity, OwnAccount } from '../../shared/console/people/account.ts'
import type { Actor } from '../../shared/events/audit.ts'
import type { Access } from '../use-cases/access.ts'

/** A person who can sign in, or who was invited to. */
export interface Account {
  readonly id: string
  /** The sign-in name, unique without regard to case. */
  readonly name: string
  /** Where mail for the person goes; null for none. */
  readonly email: string | null
  readonly access: Access
  /** ISO 8601, UTC, as every time here. */
  readonly createdAt: string
  readonly disabledAt: string | null
  /** When the account last used a session; null before its first. Written behind, by seconds. */
  readonly lastSeenAt: string | null
  readonly hasPassword: boolean
  readonly passkeys: readonly Readonly<OwnAccount['passkeys'][number]>[]
  /** What is asked for after the password; empty if the password is enough. */
  readonly secondFactors: readonly SecondFactor[]
  /** Recovery codes that were not used yet. */
  readonly recoveryCodesLeft: number
  /** Accounts of identity providers that sign in as this one. */
  readonly identities: readonly Identity[]
}

export type Identity = Readonly<LinkedIdentity>

/** A person who is signed in on one device. */
export interface Session {
  readonly id: string
  readonly kind: SessionKind
  readonly account: Account
  readonly createdAt: string
  readonly lastUsedAt: string
  /** When it ends even if it is used until then. */
  readonly expiresAt: string
  readonly address: string
  /** The name of the computer for a session of the command line. */
  readonly userAgent: string
}

/** Who calls, for limits and for the list of sessions. Longer values are cut. */
export interface Caller {
  readonly address: string
  readonly userAgent: string
  /** What the browser keeps of earlier sign-ins: see `markBrowser`. */
  readonly browser?: string | undefined
}

/** A session that was just begun. The token is in this answer alone. */
export interface SignedIn {
  readonly token: string
  readonly session: Session
  /** What the browser keeps, to be known next time; null if there is nothing to keep. */
  readonly browser: string | null
}

/** What a sign-in with a password leads to. */
export type SignInResult =
  | ({ readonly kind: 'signed_in' } & SignedIn)
  | {
      readonly kind: 'second_factor'
      /** Valid for 5 minutes, for `completeSecondFactor`. */
      readonly challenge: string
      readonly methods: readonly SecondFactor[]
    }

/** The code for a second factor. */
export type SecondFactorCode = { readonly totp: string } | { readonly recoveryCode: string }

export type LinkKind = 'setup' | 'invitation' | 'reset'

/** A link that works once. The token is in this answer alone. */
export interface IssuedLink {
  readonly token: string
  readonly expiresAt: string
}

/** A link of an account that is valid. */
export interface OpenLink {
  readonly kind: Exclude<LinkKind, 'setup'>
  readonly expiresAt: string
}

/** What a valid link is for. `name` is null for the setup link: whoever opens it chooses one. */
export interface LinkView {
  readonly kind: LinkKind
  readonly name: string | null
  readonly expiresAt: string
}

const MAX_ADDRESS = 64
const MAX_USER_AGENT = 256

/** Returns a caller whose values are no longer than what is stored, with what is invisible made visible. */
export function boundedCaller({ address, userAgent }: Caller): Caller {
  return { address: cut(address, MAX_ADDRESS), userAgent: cut(userAgent, MAX_USER_AGENT) }
}

/** Returns a person who calls, with a session of that kind, as the audit log names them. */
export function personActor(
  name: string,
  { address }: Pick<Caller, 'address'>,
  kind: SessionKind = 'browser',
): Actor {
  const actor = { kind: 'person', name, address } as const
  return kind === 'command_line' ? { ...actor, via: kind } : actor
}

function cut(text: string, maximum: number): string {
  return showInvisible(text.slice(0, maximum)).slice(0, maximum)
}
