import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readCsv } from '../support/csv.ts'
import { publishByApi } from './support/api.ts'
import { startOver } from './support/console.ts'
import { announcement, holdsFocus, openAddress, openDialog } from './support/dialog.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { tabTo } from './support/keyboard.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'
import { goPastDialog } from './support/window.ts'

// What screens do in the desktop app alone: files are saved where a person says, links open in another program, and
// settings and backups are those of the app.
const NOTES = 'Read [the news](https://example.invalid/news?of=1.0.0), or not.'
const opened = openForAll()
let faults: Faults
let folder: string

beforeAll(async () => {
  faults = await interceptCalls(opened)
  await createApp(opened)
  await publishByApi(opened, '1.0.0', { notes: NOTES })
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-saved-'))
  await startOver(opened)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await faults.end()
})

const dialog = () => openDialog(opened)
const exportButton = () => opened.page.getByRole('button', { name: 'Export CSV' })

/** Answers the next save dialogs as a person does: with a path, or by cancelling. */
function answerDialog(filePath: string): Promise<void> {
  return opened.app.evaluate(({ dialog: dialogs }, path) => {
    dialogs.showSaveDialog = async () => ({ canceled: path === '', filePath: path })
  }, filePath)
}

test('the page uses the bundled font', async () => {
  const loaded = `document.fonts.ready.then((fonts) => [...fonts]
    .filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`
  await expect.poll(() => opened.page.evaluate(loaded)).toContain('Inter Variable')
})

test('a canceled dialog writes nothing and shows no error', async () => {
  const { page } = opened
  await opened.goTo('Audit log')
  await answerDialog('')
  await exportButton().click()
  await expect.poll(() => exportButton().isEnabled()).toBe(true)
  expect(await page.getByText('The audit log was not exported').count()).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

test('an unwritable file is reported with its reason, and the export can be retried', async () => {
  const { page } = opened
  await opened.goTo('Audit log')
  await answerDialog(join(folder, 'gone', 'log.csv'))
  await exportButton().click()
  const alert = page.getByRole('alert').filter({ hasText: 'The audit log was not exported' })
  await alert.getByText('the folder no longer exists').waitFor()
  const other = join(folder, 'other.csv')
  await answerDialog(other)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(`Exported the audit log as ${other}`).waitFor()
  expect(await page.getByText('The audit log was not exported').count()).toBe(0)
  const [, ...entries] = readCsv(readFileSync(other, 'utf8'))
  expect(entries.find((entry) => entry.includes('app.created'))).toContain('console')
  const created = page.getByRole('row').filter({ hasText: 'Created app Editor' })
  expect(await created.innerText()).toContain('Console')
})

test('a link in the notes shows its destination, and opens in the system browser', async () => {
  const { app, page } = opened
  const outside = await app.evaluateHandle(({ shell }) => {
    const urls: string[] = []
    shell.openExternal = async (url) => void urls.push(url)
    return urls
  })
  await openAddress(opened, '#/releases/editor/stable/1.0.0')
  const link = page.getByRole('link', {
    name: 'the news (opens example.invalid in your browser)',
  })
  await link.waitFor()
  await tabTo(opened, link)
  await page.getByRole('tooltip').getByText('https://example.invalid/news?of=1.0.0').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => outside.jsonValue()).toEqual(['https://example.invalid/news?of=1.0.0'])
  expect(app.windows()).toHaveLength(1)
  await page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
})

test('closing the window asks while the secret of a key is shown', async () => {
  const { app, page } = opened
  await opened.goTo('API keys')
  const asked = await app.evaluateHandle(({ dialog: dialogs }) => {
    const questions: string[] = []
    dialogs.showMessageBoxSync = (...args: unknown[]) => {
      questions.push(JSON.stringify(args.at(-1)))
      return 1
    }
    return questions
  })
  await page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('build machine')
  await dialog().getByRole('checkbox', { name: 'Read' }).check()
  await dialog().getByRole('button', { name: 'Create key' }).click()
  const secret = dialog().getByRole('region', { name: 'API key' })
  await secret.waitFor()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.reload())
  await expect.poll(() => asked.evaluate((it) => it.length)).toBe(1)
  expect(await secret.innerText()).toMatch(/^tg_/)
  await dialog().getByRole('button', { name: 'I have copied it' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: /^build machine/ }).waitFor()
})

test('the dialog that restores a backup stays open while the app restores it, and returns the focus', async () => {
  const { page } = opened
  await opened.goTo('Settings')
  await page.getByRole('button', { name: 'Back up now' }).click()
  const opener = page.getByRole('button', { name: /^Restore .*tidegate/ }).first()
  await opener.click()
  await dialog().getByRole('textbox').fill('restore')
  const held = await faults.hold('shell.restoreBackup')
  await dialog().getByRole('button', { name: 'Restore backup', exact: true }).focus()
  await page.keyboard.press('Enter')
  await held.asked()
  // None of these closes it or sends it once more.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.mouse.click(4, 4)
  await expect.poll(() => holdsFocus(dialog())).toBe(true)
  await held.fail()
  await dialog().getByRole('alert').waitFor()
  expect(await held.count()).toBe(1)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(() => holdsFocus(opener)).toBe(true)
})

/** Waits for an announcement that stays until it is dismissed, and dismisses it. */
const dismiss = (text: string) => announcement(opened, text).getByRole('button').click()

test('settings that fail after their screen was left are announced', async () => {
  const { page } = opened
  await opened.goTo('Settings')
  const data = page.getByRole('form', { name: 'Data retention and backups', exact: true })
  await data.getByLabel('Keep check-ins').fill('30')
  const settings = await faults.hold('shell.saveSettings')
  await data.getByRole('button', { name: /^Save and/ }).click()
  await settings.asked()
  const preferences = await faults.hold('shell.setPreferences')
  await page.getByRole('radiogroup', { name: 'Time zone' }).getByText('UTC').click()
  await preferences.asked()
  await goPastDialog(opened, 'Audit log')
  await dialog().getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await settings.fail()
  await dismiss('The settings were not saved')
  await preferences.fail()
  await dismiss('The setting was not saved')
})

test('preferences that are changed while another one is being saved are saved in turn', async () => {
  const { page } = opened
  await opened.goTo('Settings')
  const preferences = await faults.hold('shell.setPreferences')
  const zone = page.getByRole('radiogroup', { name: 'Time zone' })
  await zone.getByText('UTC').click()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click()
  await preferences.asked()
  await preferences.release()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await expect.poll(() => zone.getByRole('radio', { name: 'UTC' }).isChecked()).toBe(true)
})
