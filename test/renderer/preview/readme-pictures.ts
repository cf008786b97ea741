/**
 * Makes the pictures of the front page from the demo: `node test/renderer/preview/readme-pictures.ts`
 * writes `docs/pictures/<screen>-<theme>.png`. A screen that does not exist yet is passed over.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { liveDemo } from '../../support/builders/demo-folder.ts'
import { lastAnswered } from '../../support/check-in-log/last-answered.ts'
import { backendFolder, startBackend } from './backend.ts'
import { buildPage, launchBrowser } from './page-build.ts'
import { installBridge, servePage } from './page-server.ts'

interface Picture {
  readonly name: string
  readonly path: string
  /** Of a phone. */
  readonly isPhone?: boolean
}

/** What the front page shows. `device`: the path of one that is outside a rollout. */
const picturesOf = (device: string): readonly Picture[] => [
  { name: 'overview', path: '/' },
  { name: 'phone', path: '/releases/parley/stable/4.4.3', isPhone: true },
  { name: 'fleet', path: '/fleet?app=lantern&channel=stable&range=30d' },
  { name: 'release', path: '/releases/lantern/stable/2.1.0' },
  { name: 'plan', path: '/releases/sift/stable/1.2.0' },
  { name: 'stopped', path: '/releases/parley/stable/4.4.3' },
  { name: 'calendar', path: '/calendar' },
  { name: 'explain', path: device },
  { name: 'audit', path: '/audit' },
]

const OUT = resolve(import.meta.dirname, '../../../docs/pictures')
const VIEWPORT = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const SCHEMES = ['light', 'dark'] as const
/** Bytes that a picture may have at most. */
const MOST_BYTES = 200_000
/** What the page shows in place of whichever port was free. */
const ADDRESS = 'http://127.0.0.1:8440'

const print = (line: string) => process.stdout.write(`${line}\n`)

async function take(
  browser: Browser,
  address: string,
  pictures: readonly Picture[],
): Promise<void> {
  for (const colorScheme of SCHEMES) {
    const options = { colorScheme, reducedMotion: 'reduce' } as const
    const context = await browser.newContext({ ...options, locale: 'en-GB', timezoneId: 'UTC' })
    await context.addInitScript(installBridge)
    for (const picture of pictures)
      await draw(await context.newPage(), address, picture, colorScheme)
    await context.close()
  }
}

async function draw(
  page: Page,
  address: string,
  { name, path, isPhone = false }: Picture,
  scheme: string,
): Promise<void> {
  page.on('pageerror', (error) => print(`${name}: ${error.message}`))
  await page.setViewportSize(isPhone ? PHONE : VIEWPORT)
  await page.goto(`${address}#${path}`)
  const title = page.getByRole('heading', { level: 1 })
  await title.waitFor()
  if ((await title.textContent()) === 'Page not found') {
    print(`${name}: there is no such screen yet`)
  } else {
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
    const file = join(OUT, `${name}-${scheme}.png`)
    await page.screenshot({ path: file })
    const { size } = statSync(file)
    print(`${name}-${scheme}: ${Math.round(size / 1_000)} kB`)
    if (size > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes`)
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { impact, id, nodes } of violations)
      print(`${name}: axe ${impact} ${id}: ${nodes[0]?.html.slice(0, 160)}`)
  }
  await page.close()
}

mkdirSync(OUT, { recursive: true })
const undo: (() => unknown)[] = []
try {
  const root = await buildPage()
  undo.push(() => rmSync(root, { recursive: true, force: true }))
  const folder = backendFolder()
  await (await liveDemo(folder, { devices: 2_000, days: 90 })).stop()
  const database = openDatabase(dataFile(folder), { readonly: true })
  const { app, id } = lastAnswered(database, 'lantern', 'outside_cohort')
  database.close()
  const backend = await startBackend(folder, { shownAddress: ADDRESS })
  undo.push(() => backend.stop())
  const page = await servePage(root, backend.choose)
  undo.push(() => page.close())
  const browser = await launchBrowser()
  undo.push(() => browser.close())
  await take(browser, page.address, picturesOf(`/devices/${app}/${encodeURIComponent(id)}`))
} finally {
  for (const close of undo.reverse()) await close()
}
