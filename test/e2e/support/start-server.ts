import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { RestorableServer } from '../../../src/server/compose/restorable-server.ts'
import { FAST_PASSWORDS } from '../../support/builders/passwords.ts'

/**
 * What differs from the defaults, in the form of environment variables: CONSOLE_NAME is another name of the console,
 * behind a proxy on this computer if TRUST_PROXY is `loopback`; PROVIDER is an identity provider and MAIL a mail server,
 * as JSON. PUSH_HOST is a push service. Files are stored if STORES_FILES is set. DATABASE is the address of a PostgreSQL database for the data.
 */
export type ServerVariables = Readonly<Record<string, string | undefined>>

export interface StartedServer {
  /** The address of the console. */
  readonly console: string
  /** The token of the first account's link while there is no account, else null. */
  readonly link: string | null
  /** What a new browser shows, null if it need not. */
  readonly code: string | null
  stop(): Promise<void>
}

const pageFolder = resolve(import.meta.dirname, '../../../out/renderer')

/** Serves the console to browsers, as `serve` does. Passwords are hashed fast. */
export async function startServer(
  folder: string,
  port: number,
  {
    CONSOLE_NAME = '',
    TRUST_PROXY,
    PROVIDER,
    MAIL,
    PUSH_HOST,
    STORES_FILES,
    DATABASE,
  }: ServerVariables,
): Promise<StartedServer> {
  const server = new RestorableServer(
    {
      dataFolder: folder,
      database: DATABASE,
      port,
      trustProxy: TRUST_PROXY === undefined ? [] : [TRUST_PROXY],
      // One person clicks faster here than a limit for strangers allows.
      limits: { device: 0 },
      provider: PROVIDER === undefined ? undefined : JSON.parse(PROVIDER),
      mail: MAIL === undefined ? undefined : JSON.parse(MAIL),
      push: { hosts: PUSH_HOST === undefined ? [] : [PUSH_HOST] },
      hosting:
        STORES_FILES === undefined
          ? undefined
          : { folder: join(folder, 'artifacts'), publicUrl: `http://127.0.0.1:${port}` },
      console: { pageFolder, names: CONSOLE_NAME === '' ? [] : [CONSOLE_NAME] },
    },
    { log: pino({ level: 'silent' }), ...FAST_PASSWORDS },
    { onRestoring() {}, onRestored() {} },
  )
  const { people, consoleAddress, consoleCode: code } = await server.start()
  if (consoleAddress === null) throw new Error('the console is offered to nobody')
  const link = people.hasAccounts() ? null : (await people.createSetupLink()).token
  return { console: consoleAddress, link, code, stop: () => server.stop() }
}
