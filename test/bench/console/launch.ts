import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { serverProcesses } from '../../e2e/support/console.ts'
import { freePort } from '../../support/processes/ports.ts'
import { type AppMemory, appMemory } from './process-tree.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Milliseconds after the first paint until memory is read. */
const SETTLE = 4_000

/** One start of an app. */
export interface Start {
  /** Milliseconds from the start of the process until the expected element is visible. */
  readonly ms: number
  readonly memory: AppMemory | undefined
}

/** Starts the console on a folder until its overview is visible; `seen` is set only there. */
export async function startConsole(userData: string, seen: string): Promise<Start> {
  const settings = { address: { host: '127.0.0.1', port: await freePort() } }
  mkdirSync(userData, { recursive: true })
  writeFileSync(join(userData, 'settings.json'), JSON.stringify(settings))
  return await start(ROOT, userData, (page) => page.getByText(seen).first().waitFor())
}

/** Starts the same executable with an app that shows one heading and has no server. */
export async function startEmpty(folder: string): Promise<Start> {
  writeFileSync(join(folder, 'package.json'), MANIFEST)
  writeFileSync(join(folder, 'main.js'), MAIN)
  return await start(folder, folder, (page) => page.getByText('Empty').first().waitFor())
}

async function start(
  app: string,
  home: string,
  visible: (page: Page) => Promise<void>,
): Promise<Start> {
  const own = { TIDEGATE_USER_DATA: home, HOME: home }
  const began = performance.now()
  const running = await _electron.launch({ args: [app], env: { ...environment(), ...own } })
  try {
    await visible(await running.firstWindow())
    const ms = performance.now() - began
    await sleep(SETTLE)
    return { ms, memory: await memoryOf(running) }
  } finally {
    await running.close()
  }
}

async function memoryOf(running: ElectronApplication): Promise<AppMemory | undefined> {
  const [server] = await serverProcesses(running)
  return appMemory(await running.evaluate(() => process.pid), server)
}

function environment(): Record<string, string> {
  const pairs = Object.entries(process.env)
  return Object.fromEntries(pairs.flatMap(([name, value = '']) => (value ? [[name, value]] : [])))
}

const MANIFEST = JSON.stringify({
  name: 'empty',
  version: '1.0.0',
  type: 'module',
  main: 'main.js',
})

/** The same kind of page as the console's: with its own scheme, in a sandbox. */
const MAIN = `import { app, BrowserWindow, protocol } from 'electron'
app.setPath('userData', process.env.TIDEGATE_USER_DATA)
app.enableSandbox()
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
app.whenReady().then(() => {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  protocol.handle('app', () => new Response('<!doctype html><h1>Empty</h1>', { headers }))
  const window = new BrowserWindow({ webPreferences: { sandbox: true } })
  void window.loadURL('app://empty/index.html')
})
`
