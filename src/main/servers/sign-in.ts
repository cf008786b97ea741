import { ConnectionError, RemoteCallError } from '../../remote/connection-error.ts'
import type { RemoteSignIn } from '../../shared/console/remote-servers.ts'
import { type Begun, RemoteAccount, type SecondFactorAnswer } from './remote-account.ts'
import { endpointOf, type RememberedServer } from './server-list.ts'
import type { Session } from './sessions.ts'

/** A session that has begun, or what the person sees instead. */
export type SignInStep =
  | { readonly session: Session; readonly browser: string | null }
  | { readonly answer: RemoteSignIn }

type Attempt = (
  account: RemoteAccount,
) => Promise<
  Begun | Extract<Awaited<ReturnType<RemoteAccount['signIn']>>, { kind: 'second_factor' }>
>

/** Signs in with a password. Rejects with a `RemoteCallError` for what the server refuses. */
export function signInWithPassword(
  server: RememberedServer,
  name: string,
  password: string,
  code: string | null,
): Promise<SignInStep> {
  return signIn(server, name, (account) => account.signIn(name, password, code))
}

/** Answers the second factor that a sign-in asked for. Rejects as `signInWithPassword` does. */
export function signInWithSecondFactor(
  server: RememberedServer,
  name: string,
  challenge: string,
  answer: SecondFactorAnswer,
): Promise<SignInStep> {
  return signIn(server, name, (account) => account.completeSecondFactor(challenge, answer))
}

async function signIn(
  server: RememberedServer,
  name: string,
  attempt: Attempt,
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
