import { LastUses } from '../catalog/last-uses.ts'
import type { Directory, DirectoryParts } from './directory.ts'
import { Passkeys } from './factors/passkeys.ts'
import { OwnAccount } from './own-account.ts'
import { PasswordHasher } from './password/hasher.ts'
import { createStrengthCheck, type PasswordJudge } from './password/strength.ts'
import type { ProviderConfig } from './provider/provider-metadata.ts'
import { SingleSignOn } from './provider/single-sign-on.ts'
import { Sessions } from './sessions.ts'
import { Confirmations } from './sign-in/confirmations.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { SignInCodes } from './sign-in/sign-in-codes.ts'
import { SignInLimits } from './sign-in/sign-in-limits.ts'
import type { SignInState } from './sign-in/sign-in-state.ts'

/** What the people take from their surroundings, unless it is given. */
export interface PeopleParts extends DirectoryParts {
  /** Hears of a failure of what nobody waits for. */
  readonly onFailure?: ((error: unknown) => void) | undefined
  /** Logarithm of the cost of new password hashes to the base 2, 17 by default. */
  readonly passwordCost?: number | undefined
  /** How new passwords are judged: on a thread that ends with the judgement, by default. */
  readonly judgePassword?: PasswordJudge | undefined
  /** What sign-ins leave for their next step; in memory by default. */
  readonly signInState?: SignInState | undefined
  /** Monotonic clock of the limits, in milliseconds, while they are in memory. */
  readonly limitsClock?: (() => number) | undefined
  /** Milliseconds in which a command that shows a code must ask, see `SignInCodes`. */
  readonly codePatience?: number | undefined
  /** The identity provider for single sign-on, if there is one. */
  readonly provider?: ProviderConfig | undefined
}

export type ConnectedPeople = ReturnType<typeof connectPeople>

/** Makes what signs people in, and connects it. `key`: see `Sealed`. */
export function connectPeople(
  directory: Directory,
  { entries, attempts }: Pick<SignInState, 'entries' | 'attempts'>,
  key: Buffer,
  { onFailure = () => {}, passwordCost, judgePassword, codePatience, provider }: PeopleParts,
) {
  const usage = new LastUses<string>((uses) => {
    const stored = uses.map(({ id: sessionId, at }) => ({ sessionId, at }))
    return directory.store.recordSessionUse(stored)
  }, onFailure)
  const sessions = new Sessions(directory, usage)
  const hasher = new PasswordHasher({ ln: passwordCost })
  const limits = new SignInLimits(attempts)
  const signIn = new SignIn({ directory, sessions, hasher, limits, entries })
  const checkStrength = createStrengthCheck(judgePassword)
  const linkParts = { directory, signIn, hasher, checkStrength }
  const issuer = provider?.issuer
  const confirmations = new Confirmations({ directory, signIn, limits, entries, issuer })
  const own = new OwnAccount({ ...linkParts, confirmations, issuer, key })
  const shared = { directory, sessions, signIn, confirmations, entries, key }
  const passkeys = new Passkeys({ ...shared, own, limits })
  const codes = new SignInCodes({ ...shared, limits, patience: codePatience })
  const singleSignOn =
    provider === undefined
      ? null
      : new SingleSignOn({ ...shared, limits, config: provider, onFailure })
  const made = { usage, sessions, signIn, linkParts, onFailure }
  return { ...made, confirmations, own, passkeys, codes, singleSignOn }
}
