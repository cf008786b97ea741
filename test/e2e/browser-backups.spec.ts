import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { PERSON, serveConsole, sharedBrowser } from './support/browser.ts'
import { fillNewApp } from './support/steps.ts'

let folder: string
let page: Page
let served: Awaited<ReturnType<typeof serveConsole>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))
  served = await serveConsole(folder, 0)
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  await page.goto(`${served.console}#/link/${served.link}`)
  await page.getByLabel('Name').fill(PERSON.name)
  await page.getByLabel('New password', { exact: true }).fill(PERSON.password)
  await page.getByRole('button', { name: 'Create account' }).click()
})
afterEach(async () => {
  await page?.context().close()
  await served?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function goTo(screen: string): Promise<void> {
  const places = page.getByRole('navigation', { name: 'Screens' })
  await places.getByRole('link', { name: screen }).click()
  await page.getByRole('heading', { level: 1, name: screen }).waitFor()
}

async function createApp(name: string): Promise<void> {
  await goTo('Apps and channels')
  await page.getByRole('main').getByRole('button', { name: 'Create app' }).click()
  await fillNewApp(page, { name, ref: name.toLowerCase() })
}

/** Makes a backup, and returns its bytes as the browser downloads them. */
async function download(): Promise<{ name: string; file: string }> {
  await goTo('Settings')
  await page.getByRole('button', { name: 'Back up now' }).click()
  const button = page.getByRole('button', { name: /^Download backup/ }).first()
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
  const name = saved.suggestedFilename()
  const file = join(folder, `downloaded-${name}`)
  await saved.saveAs(file)
  return { name, file }
}

async function chooseFile(file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Restore from file…' }).click()
  await (await chooser).setFiles(file)
}

test('the settings of a browser are those that it can change', async () => {
  await goTo('Settings')
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await page.getByText(folder, { exact: true }).waitFor()
  const sections = await page.getByRole('heading', { level: 2 }).allTextContents()
  expect(sections).toEqual(['Set when the server is started', 'Backups', 'Display', 'About'])
  expect(await page.getByRole('switch').count()).toBe(0)
  const inUse = page.getByRole('region', { name: 'Set when the server is started' })
  const shownOf = (label: string) =>
    inUse.locator('dl > div', { hasText: label }).locator('dd').innerText()
  expect(await shownOf('Back up every')).toBe('Off')
  expect(await shownOf('Keep check-ins')).toBe('90 days')
  expect(await shownOf('Requests with a key')).toBe('600')
  await page.getByText('Dark', { exact: true }).click()
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme))
    .toBe('dark')
  await page.reload()
  await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
  expect(await findings({ page })).toEqual([])
})

test('a backup is downloaded, and brings its data back when it is uploaded', async () => {
  await createApp('Old')
  const { name, file } = await download()
  expect(readFileSync(file).equals(readFileSync(join(folder, 'backups', name)))).toBe(true)
  await createApp('New')
  await goTo('Settings')

  await chooseFile(file)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: 'Apps 2 1' }).waitFor()
  expect(await findings({ page })).toEqual([])
  const restore = dialog.getByRole('button', { name: 'Restore backup' })
  expect(await restore.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('restore')
  await restore.click()

  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Name').fill(PERSON.name)
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const outcome = page.getByRole('status').filter({ hasText: 'Backup restored' })
  await outcome.getByText(/The previous database is kept as .*before-restore/).waitFor()
  await outcome.getByRole('button', { name: 'Dismiss' }).click()
  await outcome.waitFor({ state: 'detached' })
  await goTo('Apps and channels')
  await page.getByRole('link', { name: 'Old', exact: true }).waitFor()
  // The list is that of before the restore until it is read again.
  await page.getByRole('link', { name: 'New', exact: true }).waitFor({ state: 'detached' })
})

test('a damaged backup is refused with the reason', async () => {
  const { file } = await download()
  truncateSync(file, 20_000)
  await chooseFile(file)
  const refusal = page.getByRole('dialog').getByRole('alert')
  await refusal.getByText('This backup cannot be restored').waitFor()
  await refusal.getByText(/is damaged.*Choose another backup\./).waitFor()
})
