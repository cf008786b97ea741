import { ConnectionError } from '../../remote/connection-error.ts'
import type { RemoteSignIn } from '../../shared/console/remote-servers.ts'
import { RemoteAccount, type SecondFactorAnswer } from './remote-account.ts'
import { endpointOf, type RememberedServer } from './server-list.ts'
import type { Session } from './sessions.ts'

/** A session that has begun, or what the person sees instead. */
export type SignInStep = { readonly session: Session } | { readonly answer: RemoteSignIn }

type Attempt = (
  account: RemoteAccount,
) => Promise<
  | Omit<Session, 'signedInAs'>
  | Extract<Awaited<ReturnType<RemoteAccount['signIn']>>, { kind: 'second_factor' }>
>

/** Signs in with a password. Rejects with a `RemoteCallError` for what the server refuses. */
export function signInWithPassword(
  server: RememberedServer,
  name: string,
  password: string,
): Promise<SignInStep> {
  return signIn(server, name, async (account) => {
    const step = await account.signIn(name, password)
    return step.kind === 'signed_in' ? step.session : step
  })
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
    const step = await attempt(new RemoteAccount(endpointOf(server)))
    if (!('kind' in step)) return { session: { ...step, signedInAs: name } }
    const { challenge, methods } = step
    return { answer: { outcome: 'second_factor', challenge, methods } }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    return { answer: { outcome: 'failed', failure: error.failure } }
  }
}
