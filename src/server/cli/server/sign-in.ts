import { createInterface } from 'node:readline/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { createTRPCClient } from '@trpc/client'
import { CertificateError, ConnectionError } from '../../../remote/connection-error.ts'
import { HttpClient } from '../../../remote/http-client.ts'
import { RemoteCalls } from '../../../remote/remote-calls.ts'
import type { Endpoint } from '../../../remote/trusted-socket.ts'
import {
  CODE_SCREEN,
  POLL_SECONDS,
  writeCode,
} from '../../../shared/console/people/sign-in-codes.ts'
import { formatDuration } from '../../../shared/wording/format.ts'
import type { CommandLineSignInRouter } from '../../web-console/command-line-sign-in.ts'
import { Failure } from '../command/errors.ts'
import { report } from '../command/output.ts'
import { text } from '../strings/server.ts'
import { linkOver } from './calls.ts'
import {
  type Credentials,
  readCredentials,
  removeCredentials,
  writeCredentials,
} from './credentials.ts'
import { endpointOf, requireEncryption, type ServerOptions } from './options.ts'
import { PROGRAM } from './program-name.ts'
import { ServerUnreachable } from './remote-errors.ts'

export interface SignInOptions extends Pick<ServerOptions, 'fingerprint' | 'plainHttp'> {
  readonly computer: string
  /** Whether the session manages people, too. */
  readonly people?: boolean
  readonly json?: boolean
}

/** Path of the procedures that sign in and out. */
const SIGN_IN = '/console/command-line/session'

/** Signs in: shows a code until a person confirms it, and remembers the session. A person compares an untrusted fingerprint. */
export async function signIn(
  url: string,
  options: SignInOptions,
): Promise<Credentials & { readonly file: string }> {
  requireEncryption(url, options)
  const known = options.fingerprint ?? readCredentials(url)?.fingerprint ?? null
  const { endpoint, begun } = await begin(endpointOf(url, known), options).catch((error) => {
    throw ServerUnreachable.of(url, error)
  })
  const remaining = Date.parse(begun.expiresAt) - Date.now()
  const minutes = formatDuration(Math.max(1, Math.round(remaining / 60_000)), 'minute')
  const code = writeCode(begun.userCode)
  const screen = `${url}/console/${CODE_SCREEN}`
  for (const line of text.login.instructions(screen, code, minutes, begun.address)) report(line)
  const { token, name, expiresAt } = await confirmed(endpoint, begun)
  const credentials = { server: url, fingerprint: endpoint.pin, token, name, expiresAt }
  return { ...credentials, file: writeCredentials(credentials) }
}

/** Ends the session on a server and forgets it. Returns whether the server was told. */
export async function signOut(url: string): Promise<boolean> {
  const remembered = readCredentials(url)
  if (remembered === undefined) return true
  const { token, fingerprint } = remembered
  try {
    await calling(endpointOf(url, fingerprint), (server) => server.end.mutate(), token)
    return true
  } catch (error) {
    if (causeOf(error) instanceof ConnectionError) return false
    throw error
  } finally {
    removeCredentials(url)
  }
}

type SignInServer = ReturnType<typeof signInServer>
type Begun = Awaited<ReturnType<SignInServer['begin']['mutate']>>

function signInServer(http: HttpClient, url: string, token: string | undefined) {
  const sender = { kind: 'program', name: PROGRAM, token } as const
  const calls = new RemoteCalls({ http, url: `${url}${SIGN_IN}`, sender: () => sender })
  return createTRPCClient<CommandLineSignInRouter>({ links: [linkOver(calls)] })
}

async function calling<T>(
  endpoint: Endpoint,
  work: (server: SignInServer) => Promise<T>,
  token?: string,
): Promise<T> {
  const http = new HttpClient(endpoint)
  try {
    return await work(signInServer(http, endpoint.url, token))
  } finally {
    http.close()
  }
}

async function begin(
  endpoint: Endpoint,
  options: Pick<SignInOptions, 'computer' | 'people'>,
): Promise<{ readonly endpoint: Endpoint; readonly begun: Begun }> {
  try {
    const { computer, people: managesPeople = false } = options
    const begun = await calling(endpoint, (server) =>
      // A server of an earlier version knows no more than the computer.
      server.begin.mutate({ computer, ...(managesPeople ? { managesPeople } : {}) }),
    )
    return { endpoint, begun }
  } catch (error) {
    const cause = causeOf(error)
    if (!(cause instanceof CertificateError) || endpoint.pin !== null) throw error
    if (!process.stdin.isTTY) throw error
    await compare(cause)
    return await begin({ ...endpoint, pin: cause.presented }, options)
  }
}

/** Lets the person compare a fingerprint. Throws `Failure` if it is not the same. */
async function compare({ presented, failure }: CertificateError): Promise<void> {
  for (const line of text.login.fingerprintAsk(failure.detail, presented)) report(line)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(text.login.fingerprintQuestion)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(text.login.notTrusted)
  } finally {
    terminal.close()
  }
}

/** Waits until a person has decided. Throws `Failure` for a code that was denied or has expired. */
async function confirmed(endpoint: Endpoint, { deviceCode, expiresAt }: Begun) {
  return await calling(endpoint, async (server) => {
    while (Date.now() < Date.parse(expiresAt)) {
      await delay(POLL_SECONDS * 1_000)
      const progress = await server.poll.mutate({ deviceCode }).catch(ignoreLostConnection)
      if (progress?.state === 'signed_in') return progress
      if (progress?.state === 'denied') throw new Failure(text.login.denied)
      if (progress?.state === 'expired') break
    }
    throw new Failure(text.login.expired)
  })
}

/** The network may be back before the code expires. */
function ignoreLostConnection(error: unknown): undefined {
  const cause = causeOf(error)
  if (!(cause instanceof ConnectionError) || cause instanceof CertificateError) throw error
  return undefined
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error
}
