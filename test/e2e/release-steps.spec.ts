import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, callConsole, mintKey, publishByApi } from './support/api.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { picker } from './support/picker.ts'
import { confirmPublish, createApp } from './support/steps.ts'

let opened: ReleaseConsole
let key: string

beforeAll(async () => {
  opened = await openConsole({ reducedMotion: true })
  await createApp(opened)
  key = await mintKey(opened)
  await publishByApi(opened, key, '1.0.0', { notes: 'The **notes**' })
  await callConsole(opened.page, 'mutation', 'channels.create', { app: 'editor', name: 'beta' })
  await opened.page.evaluate(`location.hash = '#/releases/editor/stable/1.0.0'`)
  await opened.page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
})
afterAll(() => opened?.close())

const main = () => opened.page.getByRole('main')
const toast = (words: string) =>
  opened.page.locator('.mantine-Notification-root').filter({ hasText: words })

async function pause(): Promise<void> {
  await main().getByRole('button', { name: 'Pause 1.0.0' }).click()
  const dialog = opened.page.getByRole('dialog', { name: 'Pause 1.0.0' })
  const confirm = dialog.getByRole('button', { name: 'Pause 1.0.0' })
  await expect.poll(() => confirm.isEnabled()).toBe(true)
  await confirm.click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a pause can be undone from its announcement', async () => {
  await pause()
  await toast('1.0.0 paused').getByRole('button', { name: 'Undo' }).click()
  await toast('Undone: 1.0.0 is served as before').waitFor()
  await main().getByRole('button', { name: 'Pause 1.0.0' }).waitFor()
})

test('a pause is not undone once somebody else has changed the release', async () => {
  await pause()
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  await callApi(opened, key, 'PATCH', 'releases', { ...place, status: 'rolled_back' })
  await toast('1.0.0 paused').getByRole('button', { name: 'Undo' }).click()
  await toast('1.0.0 has changed since then').waitFor()
})

test('a release is copied to another channel with a prefilled form', async () => {
  const { page } = opened
  await main().getByRole('button', { name: 'Copy to another channel' }).click()
  await page.getByRole('menuitem', { name: 'beta' }).click()
  await page.getByText('Copied from 1.0.0 on editor/stable').waitFor()
  expect(await picker(page, 'Channel').inputValue()).toBe('beta')
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.0.0')
  expect(await page.getByRole('textbox', { name: 'Release notes' }).inputValue()).toBe(
    'The **notes**',
  )
  await confirmPublish(page, '1.0.0')
  await page.getByRole('link', { name: 'editor/beta' }).waitFor()
})
