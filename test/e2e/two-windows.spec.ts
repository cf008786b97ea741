import { beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, callConsole, publishByApi } from './support/api.ts'
import { createChannel, publishAndOpen } from './support/channel.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { conditionField, createApp } from './support/steps.ts'

// Somebody else changes the release between the moment a person looks at it and the moment they confirm.
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})
beforeEach(() => opened.goTo('Overview'))

const main = () => opened.page.getByRole('main')
const dialog = () => opened.page.getByRole('dialog')
const changed = () =>
  dialog().getByRole('alert').filter({ hasText: 'has changed since you opened' })

/** Publishes a release on a channel of its own, and opens its page. */
async function openFresh(
  channel: string,
  version: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  await createChannel(opened, channel)
  await publishAndOpen(opened, channel, version, more)
}

async function serve(channel: string, version: string, change: object): Promise<void> {
  const place = { app: 'editor', channel, version }
  expect((await callApi(opened, 'PATCH', 'releases', { ...place, ...change })).status).toBe(200)
}

async function stored(channel: string, version: string) {
  const { body } = await callApi(opened, 'GET', `releases/editor/${channel}/${version}`)
  return body
}

async function addLabel(name: string, value: string): Promise<void> {
  const { page } = opened
  await page.getByRole('button', { name: 'Add label' }).click()
  await conditionField(page, 'Key of label 1').fill(name)
  await conditionField(page, 'Values of label 1').fill(value)
  await page.keyboard.press('Enter')
}

test('a rollout that was raised meanwhile is counted and confirmed again', async () => {
  await openFresh('raised', '1.0.0', { rolloutPct: 10 })
  await main()
    .getByRole('button', { name: /^25 ?%$/ })
    .click()
  await main()
    .getByRole('button', { name: /^Raise to 25/ })
    .click()
  const raise = dialog().getByRole('button', { name: /^Raise to 25/ })
  await expect.poll(() => raise.isEnabled()).toBe(true)
  await serve('raised', '1.0.0', { rolloutPct: 50 })
  await changed().getByText('API key pipeline').waitFor()
  await changed()
    .getByText(/Rollout: 10 ?% → 50 ?%/)
    .waitFor()
  expect(await raise.count()).toBe(0)
  await dialog().getByRole('button', { name: 'Review again' }).click()
  await changed().waitFor({ state: 'detached' })
  await dialog()
    .getByRole('heading', { name: /^Lower the rollout of 1\.0\.0 to 25/ })
    .waitFor()
  const lower = dialog().getByRole('button', { name: /^Lower to 25/ })
  await expect.poll(() => lower.isEnabled()).toBe(true)
  await lower.click()
  await dialog().waitFor({ state: 'hidden' })
  expect(await stored('raised', '1.0.0')).toMatchObject({ release: { rolloutPct: 25 } })
})

test('targets that were changed meanwhile are not overwritten by edits of the earlier ones', async () => {
  await openFresh('targeted', '1.1.0')
  await main().getByRole('button', { name: 'Edit targets' }).click()
  await addLabel('ring', 'beta')
  const theirs = { matchLabels: { site: 'berlin' }, matchExpressions: [] }
  await serve('targeted', '1.1.0', { targets: theirs })
  const notice = main().getByRole('alert').filter({ hasText: '1.1.0 has changed since you opened' })
  await notice.getByText('Targets: All devices → Devices whose label site is berlin').waitFor()
  await main().getByRole('button', { name: 'Change targets' }).click()
  await changed().waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(await stored('targeted', '1.1.0')).toMatchObject({ release: { targets: theirs } })
  await notice.getByRole('button', { name: 'Discard edits and use current targets' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await conditionField(opened.page, 'Key of label 1').inputValue()).toBe('site')
  await main().getByRole('button', { name: 'Cancel' }).click()
})

test('an unfinished condition can be removed after a device was offered the release', async () => {
  const { page, address } = opened
  await openFresh('offered', '1.2.0')
  await main().getByRole('button', { name: 'Edit targets' }).click()
  await page.getByRole('button', { name: 'Add expression' }).click()
  expect(await check(address, '0.1.0', 'first', { channel: 'offered' })).not.toBeNull()
  await main().getByText('Targets can only be broadened').waitFor()
  await main().getByText('Remove this condition').waitFor()
  await page.getByRole('button', { name: 'Remove expression 1' }).click()
  await main().getByText('No expressions').waitFor()
  await main().getByRole('button', { name: 'Cancel' }).click()
})

test('edits of targets are not lost by leaving or by another change', async () => {
  const { page } = opened
  await openFresh('edited', '1.3.0')
  await main().getByRole('button', { name: 'Edit targets' }).click()
  await addLabel('ring', 'beta')
  await main().getByRole('button', { name: 'Stop 1.3.0' }).click()
  await dialog().getByText('1.3.0 is paused').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  expect(await conditionField(page, 'Key of label 1').inputValue()).toBe('ring')
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  const ask = page.getByRole('dialog', { name: 'Discard changes to targets?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'hidden' })
  expect(await conditionField(page, 'Key of label 1').inputValue()).toBe('ring')
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await ask.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a deleted release loses its buttons, and a link to it reports the deletion', async () => {
  const { page } = opened
  await createApp(opened, { name: 'Viewer', ref: 'viewer' })
  // Without artifacts it serves no device, so its app can be deleted.
  await publishByApi(opened, '1.0.0', { app: 'viewer', artifacts: [] })
  await page.evaluate(`location.hash = '#/releases/viewer/stable/1.0.0'`)
  const buttons = main().getByRole('button', { name: /^(Stop|Roll back|Edit targets)/ })
  await expect.poll(() => buttons.count()).toBe(3)
  await callConsole(page, 'mutation', 'apps.remove', { ref: 'viewer', confirmation: 'viewer' })
  await main().getByText('This release no longer exists', { exact: true }).waitFor()
  expect(await buttons.count()).toBe(0)
  await page.evaluate(`location.hash = '#/releases/editor/stable/9.9.9'`)
  await main().getByRole('heading', { name: 'Release not found' }).waitFor()
  expect(await page.locator('[aria-busy=true]').count()).toBe(0)
})
