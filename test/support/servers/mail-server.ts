import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { eventually } from '../eventually.ts'

/** A mail that a mail server accepted. */
export interface AcceptedMail {
  readonly to: readonly string[]
  readonly from: string
  readonly user: string | null
  readonly isEncrypted: boolean
  /** As it was sent, with headers. */
  readonly source: string
}

/** A real SMTP server that keeps what it accepted. */
export interface MailServer {
  readonly port: number
  readonly mails: readonly AcceptedMail[]
  /** Answers every mail with this code from now on; 0: accepts it. */
  refuse(code: number): void
  /** Waits for that many mails. */
  until(count: number): Promise<readonly AcceptedMail[]>
}

/** Starts a mail server on a free port; stopped after the test. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await openMailServer(options)
  onTestFinished(() => server.stop())
  return server
}

/** Starts a mail server on a free port, which whoever starts it stops. */
export async function openMailServer(
  options: SMTPServerOptions = {},
): Promise<MailServer & { stop(): Promise<void> }> {
  const mails: AcceptedMail[] = []
  let code = 0
  const server = new SMTPServer({
    disabledCommands: options.onAuth === undefined ? ['AUTH', 'STARTTLS'] : [],
    ...options,
    async onData(stream, session, callback) {
      const source = (await buffer(stream)).toString()
      if (code > 0) {
        callback(Object.assign(new Error('refused for a test'), { responseCode: code }))
        return
      }
      const { mailFrom, rcptTo } = session.envelope
      mails.push({
        to: rcptTo.map(({ address }) => address),
        from: mailFrom === false ? '' : mailFrom.address,
        user: session.user === undefined ? null : String(session.user),
        isEncrypted: session.secure,
        source,
      })
      callback()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    ...{ port: address.port, mails },
    refuse: (next) => {
      code = next
    },
    until: (count) =>
      eventually(() => {
        if (mails.length < count) throw new Error(`${mails.length} of ${count} mails`)
        return mails
      }),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
