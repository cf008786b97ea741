import { beforeAll, beforeEach, expect, test } from 'vitest'
import { isOnPostgres } from '../support/servers/engine.ts'
import { publishByApi } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { loadAnew } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await publishByApi(opened, '1.1.0', { rolloutPct: 25 })
  await checkAll(opened.address, '1.0.0', 5)
})
beforeEach(() => opened.goTo('Overview'))

const field = () => opened.page.getByRole('combobox', { name: 'Command palette' })
const option = (name: string) =>
  opened.page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name }).first()
const heading = (name: string) => opened.page.getByRole('heading', { level: 1, name })
const focused = () => opened.page.evaluate('document.activeElement.tagName')

async function closePalette(): Promise<void> {
  await opened.page.keyboard.press('Escape')
  await field().waitFor({ state: 'hidden' })
}

/** Opens the palette by the keyboard, types a text, and waits for a result. */
async function search(text: string, result: string) {
  await opened.page.keyboard.press('Control+k')
  await field().fill(text)
  await option(result).waitFor()
}

test.each([
  ['Audit', 'Audit log', 'Audit log'],
  ['editor', 'Editor', 'Editor'],
  ['editor/st', 'editor/stable', 'Releases'],
  ['1.1', '1.1.0', '1.1.0'],
  ['DEVICE-3', 'device-3', 'device-3'],
])('%s opens its screen', async (text, result, screen) => {
  await search(text, result)
  await opened.page.keyboard.press('Enter')
  await heading(screen).waitFor()
  await field().waitFor({ state: 'hidden' })
  await expect.poll(focused).toBe('H1')
})

/** The positions of the selected result and of the one that the field names, at one moment. */
const selection = () =>
  field().evaluate((input) => {
    const options = [...document.querySelectorAll('[role=option]')]
    const named = input.getAttribute('aria-activedescendant')
    return {
      selected: options.findIndex((each) => each.getAttribute('aria-selected') === 'true'),
      named: options.findIndex(({ id }) => id === named),
    }
  })

test('the arrow keys select, and screen readers get the selection', async () => {
  await search('a', 'Audit log')
  await expect.poll(selection).toEqual({ selected: 0, named: 0 })
  await opened.page.keyboard.press('ArrowDown')
  await expect.poll(selection).toEqual({ selected: 1, named: 1 })
  await opened.page.keyboard.press('ArrowDown')
  await expect.poll(selection).toEqual({ selected: 2, named: 2 })
  await opened.page.keyboard.press('Escape')
  await field().waitFor({ state: 'hidden' })
})

test('the best result is selected, also where the first one before still matches', async () => {
  await search('r', 'Releases')
  const results = opened.page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  await expect.poll(() => results.first().textContent()).toBe('Releases')
  await expect.poll(() => results.filter({ hasText: 'Overview' }).count()).toBe(1)
  await expect.poll(() => results.first().getAttribute('aria-selected')).toBe('true')
  await opened.page.keyboard.press('Enter')
  await heading('Releases').waitFor()
})

test('a command opens its dialog', async () => {
  await search('create an app', 'Create an app')
  await opened.page.keyboard.press('Enter')
  const dialog = opened.page.getByRole('dialog', { name: 'Create an app' })
  await dialog.waitFor()
  // What a dialog asks is answered first.
  await opened.page.keyboard.press('Control+k')
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
  expect(await field().isVisible()).toBe(false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('no backup is offered until it is known that the server creates them', async () => {
  const status = await (await interceptCalls(opened)).hold('backups.status')
  // It is known already on a page that has shown commands.
  await loadAnew(opened)
  await opened.page.keyboard.press('Control+k')
  await status.asked()
  await field().fill('back up now')
  await opened.page.getByText('No results').first().waitFor()
  await status.release()
  await closePalette()
})

test.runIf(isOnPostgres)('no backup is offered: PostgreSQL has its own tools', async () => {
  await opened.page.keyboard.press('Control+k')
  await field().fill('back up now')
  await opened.page.getByText('No results').first().waitFor()
  await closePalette()
})

test.skipIf(isOnPostgres)('a backup is created, and its outcome is announced', async () => {
  await search('back up', 'Back up now')
  await opened.page.keyboard.press('Enter')
  await opened.page.getByText('The backup was created and verified.').waitFor()
  const held = await (await interceptCalls(opened)).hold('backups.now')
  await search('back up', 'Back up now')
  await opened.page.keyboard.press('Enter')
  await held.asked()
  await held.fail()
  await opened.page.getByText('The backup failed').waitFor()
})

test('the theme changes', async () => {
  await search('dark', 'Use the dark theme')
  await opened.page.keyboard.press('Enter')
  await opened.page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await search('system theme', 'Use the system theme')
  await opened.page.keyboard.press('Enter')
  // The page is loaded anew after this, which a change that is not yet stored would not survive.
  await opened.page.locator('html[data-mantine-color-scheme=light]').waitFor()
})

test('the question mark lists the shortcuts, except in a field', async () => {
  const { page } = opened
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByRole('cell', { name: 'Open the command palette' }).waitFor()
  // The browser has Ctrl+N and Ctrl+1 for itself.
  expect(await dialog.getByRole('row', { name: /Ctrl/ }).count()).toBe(1)
  expect(await dialog.getByRole('row', { name: /^Go to .* G [A-Z]$/ }).count()).toBe(12)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await opened.goTo('Releases')
  await page.getByRole('searchbox', { name: 'Search' }).press('?')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('?')
  expect(await dialog.isVisible()).toBe(false)
})

test('G and a letter go to a screen, except in a field', async () => {
  const { page } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await heading('Approvals').waitFor()
  await opened.goTo('Releases')
  const field = page.getByRole('searchbox', { name: 'Search' })
  await field.pressSequentially('gv')
  expect(await field.inputValue()).toBe('gv')
  await heading('Releases').waitFor()
})

test('the button in the navigation opens it, and gets the focus back', async () => {
  const button = opened.page.getByRole('button', { name: 'Search', exact: true })
  await button.click()
  await field().waitFor()
  await opened.page.keyboard.press('Escape')
  await field().waitFor({ state: 'hidden' })
  await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('axe finds nothing serious', async () => {
  await search('1.', '1.1.0')
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  await opened.page.keyboard.press('Escape')
})
