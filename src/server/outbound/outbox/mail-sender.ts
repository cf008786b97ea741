import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import type { AttemptFailure } from '../../../shared/events/webhook.ts'
import type { AttemptResult } from './retry.ts'
import { shortened } from './webhook-sender.ts'

/** Milliseconds for the connection, the greeting, and every silence after it. */
const TIMEOUT = 15_000

/** How mail is handed to a mail server. */
export const MailSettings = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535),
  /** `starttls`: never without it; `tls`: from the first byte; `none`: unencrypted. */
  tls: z.enum(['starttls', 'tls', 'none']),
  login: z.strictObject({ user: z.string().min(1), password: z.string().min(1) }).nullable(),
  from: z.string().min(1),
})
export type MailSettings = z.infer<typeof MailSettings>

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Hands a mail to the mail server once. A rejection for good (RFC 5321, section 4.2.1: 5yz) is final unless it is
 * about signing in, which an administrator can fix. Never rejects.
 */
export async function sendMail(
  mail: Mail & { readonly id: string },
  settings: MailSettings,
  clock: () => number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const at = new Date(clock()).toISOString()
  const started = performance.now()
  const result = await handOver(mail, settings, signal)
  const milliseconds = Math.round(performance.now() - started)
  const { status, failure } = result
  const isFinal = failure === 'rejected' && status !== null && status >= 500
  return {
    attempt: { at, milliseconds, ...result },
    delivered: failure === null,
    gone: isFinal,
    retryAfter: 0,
  }
}

type Outcome = Pick<AttemptResult['attempt'], 'status' | 'failure' | 'response'>

async function handOver(
  { id, to, subject, text }: Mail & { readonly id: string },
  settings: MailSettings,
  signal: AbortSignal,
): Promise<Outcome> {
  const sockets = new Set<Socket>()
  const abort = () => {
    for (const socket of sockets) socket.destroy(new Error('aborted'))
  }
  signal.addEventListener('abort', abort)
  try {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      ...{ host: settings.host, port: settings.port, secure: settings.tls === 'tls' },
      ...{ requireTLS: settings.tls === 'starttls', ignoreTLS: settings.tls === 'none' },
      ...(settings.login === null
        ? {}
        : { auth: { user: settings.login.user, pass: settings.login.password } }),
      ...{ greetingTimeout: TIMEOUT, socketTimeout: TIMEOUT },
      ...{ disableFileAccess: true, disableUrlAccess: true },
      // A connection that can be ended at any time.
      getSocket: (_, callback) => {
        if (signal.aborted) return callback(new Error('aborted'), {})
        const socket = connect({ host: settings.host, port: settings.port })
        sockets.add(socket)
        socket.setTimeout(TIMEOUT, () => socket.destroy(timedOut()))
        socket.once('error', (error) => callback(error, {}))
        socket.once('connect', () => {
          socket.removeAllListeners('error')
          callback(null, { connection: socket })
        })
      },
    })
    const sent = await transport.sendMail({
      ...{ from: settings.from, to, subject, text },
      // The same for every attempt, so that a mail that was sent twice is recognized.
      messageId: `<${id}@tidegate>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return { status: 250, failure: null, response: shortened(sent.response) }
  } catch (error) {
    return outcomeOf(error)
  } finally {
    signal.removeEventListener('abort', abort)
    for (const socket of sockets) socket.destroy()
  }
}

function timedOut(): Error {
  return Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })
}

function outcomeOf(error: unknown): Outcome {
  const facts = error instanceof Error ? error : new Error(String(error))
  const code = textOf(Reflect.get(facts, 'code'))
  const responseCode: unknown = Reflect.get(facts, 'responseCode')
  const status = typeof responseCode === 'number' ? responseCode : null
  const response = shortened(textOf(Reflect.get(facts, 'response')) || facts.message)
  return { status, failure: failureOf(code, status, facts), response }
}

function failureOf(code: string, status: number | null, error: Error): AttemptFailure {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'authentication'
  if (code === 'ETLS' || /certificate|self.signed/i.test(error.message)) return 'certificate'
  if (status !== null) return 'rejected'
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(code + error.message)) return 'unresolved'
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(code + error.message)) return 'unreachable'
  return code === 'ETIMEDOUT' ? 'timed_out' : 'broken_off'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
