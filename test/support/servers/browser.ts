import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { RunningServer, ServerParts } from '../../../src/server/compose/running-server.ts'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { CONSOLE_HEADER, LIVE_PROTOCOL } from '../../../src/shared/console/bridge/web.ts'
import { temporaryFolder } from '../builders/folders.ts'
import { PASSWORD } from '../builders/passwords.ts'
import { codeCookie } from './console-codes.ts'
import { startServer, type TestServer } from './server.ts'

export { PASSWORD } from '../builders/passwords.ts'

/** A reply as it came. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

type BrowserConsoleConfig = Partial<Omit<ServerConfigInput, 'console'>> & {
  readonly console?: Partial<NonNullable<ServerConfigInput['console']>>
}

/** A server that offers its console to browsers, with a page of one line. */
export async function startBrowserConsole(
  config: BrowserConsoleConfig = {},
  parts?: ServerParts,
): Promise<TestServer> {
  // As deep as a folder of that name may hold it: only what is in the page's own one never changes.
  const pageFolder = join(temporaryFolder(), 'assets', 'page')
  mkdirSync(join(pageFolder, 'assets'), { recursive: true })
  writeFileSync(join(pageFolder, 'index.html'), '<!doctype html><title>Tidegate</title>')
  writeFileSync(join(pageFolder, 'assets/index-1.js'), '// script')
  const { console: own, ...rest } = config
  return await startServer({ ...rest, console: { pageFolder, ...own } }, undefined, parts)
}

/** Sends one request with exactly these headers: browsers choose `Host` and `Origin` themselves, attackers do, too. */
export function send(
  address: string,
  path: string,
  options: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  } = {},
): Promise<Received> {
  const { method = 'GET', headers = {}, body } = options
  const start = address.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = start(`${address}${path}`, { method, headers, rejectUnauthorized: false })
    sent.once('error', reject)
    sent.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
    })
    sent.end(body)
  })
}

/** The headers that the console's own page sends with a call, in a browser that was opened with the code of the server. */
export function pageHeaders(address: string, session?: string): Record<string, string> {
  const cookies = [codeCookie(address), session]
  const cookie = cookies.filter((each) => each !== undefined).join('; ') || undefined
  return {
    'content-type': 'application/json',
    origin: address,
    [CONSOLE_HEADER]: '1',
    ...(cookie === undefined ? {} : { cookie }),
  }
}

/** Calls a procedure as the page does: `account/signIn`, `api/apps.list`. */
export async function call(
  address: string,
  procedure: string,
  input: unknown,
  headers: Readonly<Record<string, string>> = pageHeaders(address),
): Promise<Received> {
  const body = input === undefined ? '' : JSON.stringify(input)
  return await send(address, `/console/${procedure}`, { method: 'POST', headers, body })
}

/** Creates the first account and returns the cookie of its session. */
export async function signUp(
  server: Pick<RunningServer, 'people' | 'address'>,
  name = 'Ada',
): Promise<string> {
  const { token } = await server.people.createSetupLink()
  const accepted = { token, name, password: PASSWORD }
  return cookieOf(await call(server.address, 'account/acceptLink', accepted))
}

/** The cookie that a reply sets, as it is sent back. */
export function cookieOf({ status, headers, text }: Received): string {
  const [cookie] = headers['set-cookie'] ?? []
  if (cookie === undefined) throw new Error(`no cookie was set: ${status} ${text}`)
  return cookie.split(';')[0] ?? ''
}

/** Opens the live connection; resolves to the code that it was closed with, or to its open socket. */
export function openLive(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<WebSocket | number> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/console/live`, LIVE_PROTOCOL, {
    headers,
    rejectUnauthorized: false,
  })
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.once('close', (code) => resolve(code))
    socket.once('error', () => {})
    // A session that has ended is told so right after the handshake.
    socket.once('open', () => {
      socket.ping()
      socket.once('pong', () => resolve(socket))
    })
  })
}
