import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, mintKey } from './support/api.ts'
import { createChannel, publishAndOpen } from './support/channel.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { picker } from './support/picker.ts'
import { confirmPublish, createApp } from './support/steps.ts'

let opened: ReleaseConsole
let key: string

beforeAll(async () => {
  opened = await openConsole({ reducedMotion: true })
  await createApp(opened)
  key = await mintKey(opened)
  await createChannel(opened, 'beta')
})
afterAll(() => opened?.close())

const main = () => opened.page.getByRole('main')
const toast = (words: string) =>
  opened.page.locator('.mantine-Notification-root').filter({ hasText: words })

async function pause(version: string): Promise<void> {
  const name = `Pause ${version}`
  await main().getByRole('button', { name }).click()
  const dialog = opened.page.getByRole('dialog', { name })
  const confirm = dialog.getByRole('button', { name })
  await expect.poll(() => confirm.isEnabled()).toBe(true)
  await confirm.click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a pause can be undone from its announcement', async () => {
  await publishAndOpen(opened, key, 'stable', '1.0.0')
  await pause('1.0.0')
  await toast('1.0.0 paused').getByRole('button', { name: 'Undo' }).click()
  await toast('Undone: 1.0.0 is served as before').waitFor()
  await main().getByRole('button', { name: 'Pause 1.0.0' }).waitFor()
})

test('a pause is not undone once somebody else has changed the release', async () => {
  await publishAndOpen(opened, key, 'stable', '1.1.0')
  await pause('1.1.0')
  const place = { app: 'editor', channel: 'stable', version: '1.1.0' }
  await callApi(opened, key, 'PATCH', 'releases', { ...place, status: 'rolled_back' })
  await toast('1.1.0 paused').getByRole('button', { name: 'Undo' }).click()
  await toast('1.1.0 has changed since then').waitFor()
})

test('a release is copied to another channel with a prefilled form', async () => {
  const { page } = opened
  await publishAndOpen(opened, key, 'stable', '1.2.0', { notes: 'The **notes**' })
  await main().getByRole('button', { name: 'Copy to another channel' }).click()
  await page.getByRole('menuitem', { name: 'beta' }).click()
  await page.getByText('Copied from 1.2.0 on editor/stable').waitFor()
  await expect.poll(() => picker(page, 'Channel').inputValue()).toBe('beta')
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.2.0')
  expect(await page.getByRole('textbox', { name: 'Release notes' }).inputValue()).toBe(
    'The **notes**',
  )
  await confirmPublish(page, '1.2.0')
  await page.getByRole('link', { name: 'editor/beta' }).waitFor()
})
