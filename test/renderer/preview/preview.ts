/**
 * Looks at the console's page without Electron: builds it, serves it over a real server, and takes
 * a picture of every screen, in both themes, on four sizes and at a zoom of 200%, into the folder in
 * the first argument. Reports what axe finds, and what the page wrote into its console. `--quick`
 * takes one size, `--size` those of that name, any of several, and `--only` the screens with that text in their name, any
 * of several. `--keep` leaves the server up.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright'
import { FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import { startBackend } from './backend.ts'
import { buildPage, launchBrowser } from './page-build.ts'
import { installBridge, servePage } from './page-server.ts'
import { seed } from './seed.ts'
import { EMPTY } from './shots/empty.ts'
import { FILLED } from './shots/filled.ts'
import { FOR_NOBODY, FOR_VIEWER } from './shots/roles.ts'
import type { Shot } from './shots/shot.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    size: { type: 'string', multiple: true },
    keep: { type: 'boolean', default: false },
  },
})
const folder = resolve(positionals[0] ?? join(tmpdir(), 'shots'))
const SIZES = [
  { name: '1280', width: 1280, height: 800, deviceScaleFactor: 1 },
  { name: '1024', width: 1024, height: 700, deviceScaleFactor: 1 },
  { name: '1920', width: 1920, height: 1080, deviceScaleFactor: 1 },
  // 1280 × 800 at a zoom of 200%.
  { name: 'zoomed', width: 640, height: 400, deviceScaleFactor: 2 },
  { name: 'phone', width: 390, height: 844, deviceScaleFactor: 1 },
]
  .slice(0, values.quick ? 1 : undefined)
  .filter(({ name }) => values.size?.includes(name) ?? true)
const SCHEMES = ['light', 'dark'] as const

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Returns what is wider than a small page, and what is too small for a finger there. */
async function unfit(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    if (innerWidth > 640) return []
    const { scrollWidth, clientWidth } = document.documentElement
    const targets = [
      ...document.querySelectorAll('main button, main select, nav a, [role=dialog] button'),
    ]
    const small = targets.filter((it) => {
      const { height, width } = it.getBoundingClientRect()
      return width > 0 && height < 44
    })
    const shown = (it: Element) => it.outerHTML.slice(0, 130)
    return [
      ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth}`] : []),
      ...small.slice(0, 4).map((it) => `small: ${shown(it)}`),
    ]
  })
}

async function take(browser: Browser, address: string, shots: readonly Shot[]): Promise<void> {
  const wanted = shots.filter(
    ({ name }) => values.only?.some((text) => name.includes(text)) ?? true,
  )
  for (const colorScheme of SCHEMES) {
    for (const { name: size, deviceScaleFactor, ...viewport } of SIZES) {
      for (const shot of wanted) {
        const name = `${shot.name}-${colorScheme}-${size}`
        const options = {
          viewport,
          deviceScaleFactor,
          colorScheme,
          reducedMotion: 'reduce',
        } as const
        // One of its own each: a page that crashes takes the others of its context along.
        const context = await browser.newContext(options)
        await takeOne(context, address, shot, name).catch((error: Error) => {
          if (!browser.isConnected()) throw error
          print(`${name}: not taken: ${error.message}`)
        })
        await context.close()
      }
    }
  }
}

async function takeOne(
  context: BrowserContext,
  address: string,
  shot: Shot,
  name: string,
): Promise<void> {
  await context.addInitScript(installBridge)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      print(`${name}: ${message.text()}`)
  })
  page.on('pageerror', (error) => print(`${name}: ${error.message}`))
  await page.goto(`${address}#${shot.path}`)
  await page
    .getByRole('heading', { level: 1 })
    .waitFor()
    .catch(() => {})
  await page
    .locator('[aria-busy=true]')
    .waitFor({ state: 'detached', timeout: 2_000 })
    .catch(() => {})
  await shot.prepare?.(page).catch((error: Error) => print(`${name}: ${error.message}`))
  // Pictures for people, no test: what fades in has done so.
  await page.waitForTimeout(250)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  for (const finding of await unfit(page)) print(`${name}: ${finding}`)
  if (page.viewportSize()?.width === 1280) {
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { impact, id, nodes } of violations)
      print(
        `${name}: axe ${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      )
  }
  await shot.restore?.(page)
}

mkdirSync(folder, { recursive: true })
const root = await buildPage()
const backend = await startBackend(undefined, { storesFiles: true })
const page = await servePage(root, backend.choose)
print(`page at ${page.address}, server at ${backend.running.address}`)
const browser = await launchBrowser()
try {
  await take(browser, page.address, EMPTY)
  await seed(backend)
  await take(browser, page.address, FILLED)
  backend.actAs({ server: 'viewer', apps: new Map() })
  await take(browser, page.address, FOR_VIEWER)
  backend.actAs({ server: null, apps: new Map() })
  await take(browser, page.address, FOR_NOBODY)
  backend.actAs(FULL_ACCESS)
  backend.pretend({
    state: 'failed',
    failure: { code: 'port_in_use', host: '127.0.0.1', port: 8440 },
  })
  await take(browser, page.address, [{ name: 'failed', path: '/' }])
  backend.pretend({
    state: 'restarting',
    exitCode: 1,
    wasReady: true,
    nextTryAt: Date.now() + 8_000,
  })
  await take(browser, page.address, [{ name: 'restarting', path: '/' }])
  backend.pretend({ state: 'starting', upgrading: true })
  await take(browser, page.address, [{ name: 'upgrading', path: '/' }])
  backend.pretend({ state: 'running', address: backend.running.address })
  if (values.keep) await new Promise((end) => process.once('SIGINT', end))
} finally {
  await browser.close()
  page.close()
  await backend.stop()
  rmSync(root, { recursive: true, force: true })
}
