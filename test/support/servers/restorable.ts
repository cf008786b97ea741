import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { RestorableServer } from '../../../src/server/compose/restorable-server.ts'
import type { RunningServer, ServerParts } from '../../../src/server/compose/running-server.ts'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { preparedFolder } from '../builders/folders.ts'
import { FAST_PASSWORDS } from '../builders/passwords.ts'
import { call, cookieOf, PASSWORD, pageHeaders, signUp } from './browser.ts'
import { rememberCode } from './console-codes.ts'

/** A server that can be restored, and an administrator who is signed in to its console. */
export interface RestorableConsole {
  readonly folder: string
  readonly address: string
  /** The server as it runs now. */
  server(): RunningServer
  /** How every restore ended, in order. */
  readonly outcomes: readonly { readonly ok: boolean }[]
  /** Calls a procedure and returns its data; rejects with the `CallError`. */
  // biome-ignore lint/suspicious/noExplicitAny: data is whatever the server sent
  ask(procedure: string, input?: unknown): Promise<any>
  /** The headers of the page, with the session. */
  headers(): Record<string, string>
  /** Uploads a file as the page does; it was written at `MODIFIED`. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server sent
  upload(content: Buffer, name?: string): Promise<{ status: number; body: any }>
  /** Begins another session. */
  signIn(): Promise<void>
}

/** Unix time in milliseconds. */
export const MODIFIED = Date.UTC(2026, 0, 2)

/** The path that a file of that name is uploaded to. */
export const uploadPath = (name: string) =>
  `/console/uploads/backup?name=${encodeURIComponent(name)}&modified=${MODIFIED}`

/** Starts a server as `serve` does, on a free port and a folder of its own. */
export async function startRestorable(
  parts: Omit<ServerParts, 'restoreHost'> = {},
  folder = preparedFolder(),
  config: Partial<ServerConfigInput> = {},
): Promise<RestorableConsole> {
  const outcomes: { ok: boolean }[] = []
  const host = new RestorableServer(
    {
      ...{ dataFolder: folder, port: 0, limits: { device: 0 }, budgets: { minFreeDiskMiB: 0 } },
      console: { pageFolder: folder },
      ...config,
    },
    { ...FAST_PASSWORDS, ...parts, log: pino({ level: 'silent' }) },
    { onRestoring() {}, onRestored: (outcome) => outcomes.push(outcome) },
  )
  const { address } = await host.start()
  onTestFinished(() => host.stop())
  const server = () => {
    if (host.running === undefined) throw new Error('the server does not run')
    return host.running
  }
  let cookie = await signUp(server())
  const headers = () => pageHeaders(address, cookie)
  return {
    ...{ folder, address, server, outcomes, headers },
    async ask(procedure, input) {
      const { text } = await call(address, `api/${procedure}`, input, headers())
      const { result, error } = JSON.parse(text)
      if (error !== undefined) throw error.data.callError
      return result.data
    },
    async upload(content, name = 'mine.db') {
      const response = await fetch(`${address}${uploadPath(name)}`, {
        method: 'PUT',
        body: new Uint8Array(content),
        headers: headers(),
      })
      return { status: response.status, body: await response.json() }
    },
    async signIn() {
      rememberCode(server())
      cookie = cookieOf(await call(address, 'account/signIn', { name: 'Ada', password: PASSWORD }))
    },
  }
}
