import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium } from 'playwright'
import { z } from 'zod'
import { environment } from './console.ts'

const Started = z.object({ console: z.url(), link: z.string().nullable() })

/** The account that the specs sign in with. */
export const PERSON = { name: 'Ada', password: 'nine violet otters paddle' }

let browser: Promise<Browser> | undefined

/** The browser of the system, one for all the specs of a file. */
export function sharedBrowser(): Promise<Browser> {
  const executablePath = process.env.E2E_CHROMIUM ?? '/usr/bin/chromium'
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return browser
}

/** Serves the console on a folder; `link` is the token of the first account's link while there is none. */
export async function serveConsole(folder: string, port: number) {
  const script = join(import.meta.dirname, 'serve-console.ts')
  const server = spawn(process.execPath, [script, folder, String(port)], {
    env: environment({}),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(server.stdout), 'line')
  return { ...Started.parse(JSON.parse(String(line))), stop: () => stop(server) }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.stdin?.end()
  await ended
}
