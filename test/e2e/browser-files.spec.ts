import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchChromium } from '../support/processes/chromium.ts'
import { findings } from './support/axe.ts'
import { PERSON, serveConsole } from './support/browser.ts'
import { dropFiles } from './support/drop.ts'
import { goToScreen } from './support/release-console.ts'
import { EDITOR, fillNewApp } from './support/steps.ts'

/** Not loopback to the browser, so the page has nothing that browsers keep for HTTPS. */
const NAME = 'tidegate.test'

let browser: Browser
let context: BrowserContext
let page: Page
let address: URL
let folder: string
let served: Awaited<ReturnType<typeof serveConsole>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))
  served = await serveConsole(folder, 0, { CONSOLE_NAME: NAME })
  browser = await launchChromium([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`])
  context = await browser.newContext({ reducedMotion: 'reduce' })
  address = new URL(served.console)
  address.hostname = NAME
  page = await context.newPage()
  await page.goto(`${address}#/link/${served.link}`)
  await page.getByLabel('Name').fill(PERSON.name)
  await page.getByLabel('New password', { exact: true }).fill(PERSON.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await goToScreen(page, 'Apps and channels')
  await page.getByRole('main').getByRole('button', { name: 'Create app' }).click()
  await fillNewApp(page)
  await page.close()
})
afterAll(async () => {
  await browser?.close()
  await served?.stop()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  page = await context.newPage()
  await page.goto(address.href)
})
afterEach(() => page.close())

const publishForm = async () => {
  await goToScreen(page, 'Releases')
  await page.getByRole('main').getByRole('link', { name: 'Publish a release' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Publish a release' }).waitFor()
}

test('files are imported over plain HTTP, dropped or chosen', async () => {
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await publishForm()
  const zone = page.getByRole('region', { name: 'Add files' })
  await dropFiles(zone, [{ name: 'Editor_aarch64.app.tar.gz', content: 'built' }])
  await page.getByRole('group', { name: 'Artifact 1' }).waitFor()
  const chooser = page.waitForEvent('filechooser')
  await zone.getByRole('button').click()
  const buffer = Buffer.from('built')
  await (await chooser).setFiles({ name: 'Editor_x64.dmg', mimeType: '', buffer })
  await page.getByRole('group', { name: 'Artifact 2' }).waitFor()
  await page.getByRole('button', { name: 'Add artifact' }).click()
  await page.getByRole('group', { name: 'Artifact 3' }).waitFor()
})

test('a file that is dropped beside the zone does not replace the page', async () => {
  await publishForm()
  const isKept = await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'stray.html'))
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    return !document.body.dispatchEvent(drop)
  })
  expect(isKept).toBe(true)
})

test('an export is a download, and a text is copied', async () => {
  await goToScreen(page, 'Audit log')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^tidegate-audit-.*\.csv$/)
  const file = join(folder, 'audit.csv')
  await saved.saveAs(file)
  expect(readFileSync(file, 'utf8')).toContain(EDITOR.ref)

  await goToScreen(page, 'Settings')
  await page.getByRole('button', { name: 'Copy the path of the data folder' }).click()
  await page.getByRole('status').getByText('Copied').first().waitFor()
  // As on a page that came over plain HTTP from another computer.
  const copied = page.evaluate(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false })
    return new Promise((resolve) => {
      const heard = ({ target }: Event) => resolve((target as HTMLTextAreaElement).value)
      document.addEventListener('copy', heard, { once: true })
    })
  })
  await page.getByRole('button', { name: 'Copy the path of the data folder' }).click()
  expect(await copied).toContain(folder)
  expect(await findings({ page })).toEqual([])
})

test('a lost connection is shown, and is back at once when it is tried again', async () => {
  await goToScreen(page, 'Overview')
  const port = Number(new URL(served.console).port)
  await served.stop()
  const banner = page
    .getByRole('status')
    .filter({ hasText: 'The connection to the server was lost' })
  await banner.waitFor()
  served = await serveConsole(folder, port, { CONSOLE_NAME: NAME })
  // It may have come back by itself.
  await banner
    .getByRole('button', { name: 'Try again' })
    .click({ timeout: 1_000 })
    .catch(() => {})
  await page.getByText('Server is running').waitFor()
  await banner.waitFor({ state: 'detached' })
})
