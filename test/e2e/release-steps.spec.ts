import { beforeAll, expect, test } from 'vitest'
import { callApi } from './support/api.ts'
import { createChannel, publishAndOpen } from './support/channel.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { picker } from './support/picker.ts'
import { goToAddress } from './support/release-console.ts'
import { confirmPublish, createApp } from './support/steps.ts'

const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
  await createApp(opened)
  await createChannel(opened, 'beta')
})

const main = () => opened.page.getByRole('main')
const toast = (words: string) =>
  opened.page.locator('.mantine-Notification-root').filter({ hasText: words })

const dialog = () => opened.page.getByRole('dialog', { name: /^Stop/ })
const listed = (version: string) =>
  main()
    .getByRole('button', { name: `Stop ${version} on editor/stable` })
    .first()

test('a release is stopped in one step, and says so once the server has answered', async () => {
  const { page, goTo } = opened
  await publishAndOpen(opened, 'stable', '1.0.0')
  await goTo('Overview')
  const held = await faults.hold('releases.stop')
  await listed('1.0.0').click()
  await held.asked()
  await dialog().getByText('Stopping 1.0.0').waitFor()
  expect(await dialog().getByText('is paused').count()).toBe(0)
  await held.release()
  await dialog().getByText('1.0.0 is paused').waitFor()
  await dialog().getByRole('textbox', { name: 'Reason' }).fill('It crashes at start')
  await dialog().getByRole('button', { name: 'Save reason' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await goToAddress(page, '#/releases/editor/stable/1.0.0')
  await main().getByText('Reason for the stop: It crashes at start').waitFor()
  // The reason is no other change.
  await main().getByRole('button', { name: 'Undo stop' }).click()
  await toast('Undone: 1.0.0 is served as before').waitFor()
  await main().getByRole('button', { name: 'Stop 1.0.0' }).waitFor()
})

test('a stop whose dialog is closed before the answer is announced', async () => {
  await publishAndOpen(opened, 'stable', '1.0.2')
  const held = await faults.hold('releases.stop')
  await main().getByRole('button', { name: 'Stop 1.0.2' }).click()
  await held.asked()
  await opened.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await held.release()
  await toast('1.0.2 is paused').waitFor()
})

test('a stop that not every server has confirmed is not called one', async () => {
  await publishAndOpen(opened, 'stable', '1.0.1')
  const held = await faults.hold('releases.stop')
  await main().getByRole('button', { name: 'Stop 1.0.1' }).click()
  await held.asked()
  await held.fail({ code: 'temporary', refusal: { code: 'not_confirmed' } })
  await dialog().getByText('Paused, but not every server has confirmed it').waitFor()
  await dialog().getByRole('button', { name: 'Check again' }).click()
  await dialog().getByText('1.0.1 is paused').waitFor()
  await opened.page.keyboard.press('Escape')
})

test('the palette stops a release', async () => {
  const { page } = opened
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('halt 1.0.0')
  await page.getByRole('option', { name: 'Stop 1.0.0' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog().getByText('1.0.0 is paused').waitFor()
  await dialog().getByRole('button', { name: 'Undo stop' }).click()
  await dialog().waitFor({ state: 'hidden' })
})

test('a stop is not undone once somebody else has changed the release', async () => {
  await publishAndOpen(opened, 'stable', '1.1.0')
  await main().getByRole('button', { name: 'Stop 1.1.0' }).click()
  await dialog().getByText('1.1.0 is paused').waitFor()
  const place = { app: 'editor', channel: 'stable', version: '1.1.0' }
  await callApi(opened, 'PATCH', 'releases', { ...place, status: 'rolled_back' })
  await dialog().getByRole('button', { name: 'Undo stop' }).click()
  await dialog().getByText('has changed since you opened it').waitFor()
  await opened.page.keyboard.press('Escape')
})

test('a release is copied to another channel with a prefilled form', async () => {
  const { page } = opened
  await publishAndOpen(opened, 'stable', '1.2.0', { notes: 'The **notes**' })
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
