import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContext } from 'playwright'
import { z } from 'zod'
import { PASSWORD } from '../../support/builders/passwords.ts'
import { launchChromium } from '../../support/processes/chromium.ts'
import { freePort } from '../../support/processes/ports.ts'
import { databaseOf } from '../../support/servers/engine.ts'
import {
  type ConsoleOptions,
  environment,
  goToScreen,
  newUserData,
  openedConsoles,
  type ReleaseConsole,
} from './release-console.ts'
import { type ServerVariables, type StartedServer, startServer } from './start-server.ts'

const Started = z.object({
  console: z.url(),
  link: z.string().nullable(),
  code: z.string().nullable(),
})

/** The account that the specs sign in with. */
export const PERSON = { name: 'Ada', password: PASSWORD }

/** As large as the window of the desktop app, and drawn coarsely: nobody looks, and pixels take time. */
const WINDOW = { viewport: { width: 1_280, height: 800 }, deviceScaleFactor: 0.25 }

let browser: Promise<Browser> | undefined

/** The browser of the system, one for all files of a worker. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchChromium()
  return browser
}

/** Serves the console on a folder, or with the data in the database that the folder has on the engine of the run. */
export async function serveConsole(
  folder: string,
  port: number,
  variables: ServerVariables = {},
): Promise<StartedServer> {
  return await startServer(folder, port, await withDatabase(folder, variables))
}

/** The same in a process of its own, which can be killed. */
export async function serveInProcess(
  folder: string,
  port: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<StartedServer & { kill(): Promise<void> }> {
  const script = join(import.meta.dirname, 'serve-console.ts')
  const server = spawn(process.execPath, [script, folder, String(port)], {
    env: environment(await withDatabase(folder, variables)),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(server.stdout), 'line')
  const kill = async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  return { ...Started.parse(JSON.parse(String(line))), stop: () => stop(server), kill }
}

async function withDatabase<Variables extends object>(folder: string, variables: Variables) {
  const database = await databaseOf(folder)
  return database === undefined ? variables : { DATABASE: database, ...variables }
}

/** Opens the console in a browser, signed in, on a server of its own. */
export async function openInBrowser(options: ConsoleOptions = {}): Promise<ReleaseConsole> {
  const { userData = newUserData(), env, reducedMotion = true } = options
  const port = options.port ?? (await freePort())
  const more = options.storesFiles === true ? { STORES_FILES: '1' } : {}
  const served = await serveConsole(join(userData, 'data'), port, { ...env, ...more })
  const reduced = reducedMotion ? ({ reducedMotion: 'reduce' } as const) : {}
  const zone = env?.TZ === undefined ? {} : { timezoneId: env.TZ }
  const context = await (await sharedBrowser()).newContext({
    ...WINDOW,
    ...reduced,
    ...zone,
  })
  context.setDefaultTimeout(60_000)
  await signIn(context, served)
  const page = await context.newPage()
  await page.goto(served.console)
  const quit = async () => {
    await context.close()
    await served.stop()
  }
  const opened: ReleaseConsole = {
    get app(): never {
      throw new Error('a browser is no desktop app: this spec is for the desktop only')
    },
    page,
    address: `http://127.0.0.1:${port}`,
    goTo: (screen) => goToScreen(page, screen),
    userData,
    quit,
    async close() {
      await quit()
      rmSync(userData, { recursive: true, force: true })
    },
  }
  openedConsoles.push(opened)
  return opened
}

/** Opens the console of a server that runs, signed in with the account that the specs have, which is made by the link if there is one. */
export async function openPageOf(
  served: z.infer<typeof Started>,
): Promise<Pick<ReleaseConsole, 'page' | 'goTo' | 'close'>> {
  const context = await (await sharedBrowser()).newContext({
    ...WINDOW,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
  await signIn(context, served)
  const page = await context.newPage()
  await page.goto(served.console)
  return { page, goTo: (screen) => goToScreen(page, screen), close: () => context.close() }
}

/** Gives the context a session, as the pages of signing in do. */
async function signIn(
  context: BrowserContext,
  { console: address, link, code }: z.infer<typeof Started>,
): Promise<void> {
  await showCode(context, address, code)
  const [procedure, input] =
    link === null ? ['signIn', PERSON] : ['acceptLink', { token: link, ...PERSON }]
  const headers = { origin: new URL(address).origin, 'tidegate-console': '1' }
  const answer = await context.request.post(`${address}account/${procedure}`, {
    headers,
    data: input,
  })
  if (!answer.ok())
    throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`)
}

/** Gives the context the code of a console for this computer only, as its link does. */
export async function showCode(
  context: BrowserContext,
  url: string,
  value: string | null,
): Promise<void> {
  if (value !== null) await context.addCookies([{ url, name: 'tidegate-code', value }])
}

/** Gives another browser of the same computer that code. */
export async function copyCode(from: BrowserContext, to: BrowserContext): Promise<void> {
  await to.addCookies((await from.cookies()).filter(({ name }) => name === 'tidegate-code'))
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.stdin?.end()
  await ended
}
