import { beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, publishByApi, releaseBody } from './support/api.ts'
import { createChannel, publishAndOpen } from './support/channel.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { conditionField, createApp, fillRelease, openPublishForm } from './support/steps.ts'

// A person looks at a release while devices and build machines go on: each test lets something
// happen between the question and the answer.
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})
beforeEach(() => opened.goTo('Overview'))

const main = () => opened.page.getByRole('main')
const dialog = () => opened.page.getByRole('dialog')

/** Publishes a release on a channel of its own, and opens its page. */
async function openFresh(
  channel: string,
  version: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  await createChannel(opened, channel)
  await publishAndOpen(opened, channel, version, more)
}

/** Waits until the dialog has counted; then the button would apply the step. */
async function counted() {
  await dialog()
    .getByRole('status')
    .getByText(/newly offered|nothing to count/)
    .waitFor()
}

async function offer(channel: string, labels: Record<string, string> = {}) {
  const answer = await check(opened.address, '0.1.0', 'the-device', { channel, labels })
  expect(answer).not.toBeNull()
}

/** Waits until the open dialog says why the step is not possible any more. */
async function refused(action: string, reason: RegExp) {
  const alert = dialog().getByRole('alert')
  await alert.getByText(reason).waitFor()
  expect(await alert.innerText()).toContain('Nothing was changed.')
  expect(await dialog().getByRole('button', { name: action }).isDisabled()).toBe(true)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'hidden' })
}

async function editTargets(edit: () => Promise<void>) {
  await main().getByRole('button', { name: 'Edit targets' }).click()
  await edit()
  await main().getByRole('button', { name: 'Change targets' }).click()
  await counted()
}

/** Waits until a field is marked as invalid and has the focus. */
async function focusedAndInvalid(name: string) {
  const field = opened.page.getByRole('textbox', { name })
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await field.getAttribute('aria-invalid')).toBe('true')
}

test('a rollout cannot be lowered after a device was offered the release meanwhile', async () => {
  await openFresh('lowered', '1.0.0')
  await main().getByRole('button', { name: '50%', exact: true }).click()
  await main().getByRole('button', { name: 'Lower to 50%' }).click()
  await counted()
  await offer('lowered')
  await refused('Lower to 50%', /its rollout cannot go down/)
  await main().getByText('its rollout cannot go below 100%').waitFor()
})

test('targets cannot be narrowed after a device was offered the release meanwhile', async () => {
  const { page } = opened
  await openFresh('narrowed', '1.1.0')
  await editTargets(async () => {
    await page.getByRole('button', { name: 'Add label' }).click()
    await conditionField(page, 'Key of label 1').fill('ring')
    await conditionField(page, 'Values of label 1').fill('beta')
    await page.keyboard.press('Enter')
  })
  await offer('narrowed')
  await refused('Change targets', /What devices were offered cannot be taken back/)
  await main().getByRole('button', { name: 'Cancel' }).click()
})

test('expressions cannot be changed after a device was offered the release meanwhile', async () => {
  const { page } = opened
  const expression = { key: 'ring', operator: 'In', values: ['beta'] }
  await openFresh('changed', '1.2.0', { targets: { matchExpressions: [expression] } })
  await editTargets(async () => {
    await page.getByLabel('Comparison of expression 1').selectOption('Exists')
  })
  await offer('changed', { ring: 'beta' })
  await refused('Change targets', /What devices were offered cannot be taken back/)
  await main().getByRole('button', { name: 'Cancel' }).click()
})

test('a release that was rolled back meanwhile cannot be changed', async () => {
  await openFresh('rolled-back', '1.3.0')
  const place = { app: 'editor', channel: 'rolled-back', version: '1.3.0' }
  const change = (status: string) => callApi(opened, 'PATCH', 'releases', { ...place, status })
  expect((await change('paused')).status).toBe(200)
  await main().getByRole('button', { name: 'Resume 1.3.0' }).click()
  await counted()
  expect((await change('rolled_back')).status).toBe(200)
  await refused('Resume 1.3.0', /was rolled back, which is final/)
  await main().getByText('It cannot be served again').waitFor()
  expect(
    await main()
      .getByRole('button', { name: /^(Stop|Resume|Roll back)/ })
      .count(),
  ).toBe(0)
})

test('an app and a channel that exist mark their field, until it is changed', async () => {
  const { goTo, page } = opened
  await goTo('Apps and channels')
  await main().getByRole('button', { name: 'Create app' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Editor')
  await dialog().getByRole('button', { name: 'Create app' }).click()
  await dialog().getByText('App "editor" already exists.').waitFor()
  await focusedAndInvalid('Reference')
  expect(await dialog().getByRole('alert').count()).toBe(0)
  await dialog().getByRole('textbox', { name: 'Reference' }).fill('editor-2')
  await dialog().getByText('already exists').waitFor({ state: 'hidden' })
  await dialog().getByRole('button', { name: 'Cancel' }).click()

  await main().getByRole('link', { name: 'Editor' }).click()
  await main().getByRole('button', { name: 'Create channel' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('stable')
  await page.keyboard.press('Enter')
  await dialog().getByText('Channel "stable" of app "editor" already exists.').waitFor()
  await focusedAndInvalid('Name')
  // Again without a change: the refusal is shown and focused again.
  await dialog().getByRole('button', { name: 'Create channel' }).click()
  await focusedAndInvalid('Name')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

test('a version that was published meanwhile is refused, and the form is kept', async () => {
  const { page } = opened
  await openPublishForm(opened)
  await fillRelease(page, '1.4.0')
  await main().getByRole('button', { name: 'Publish', exact: true }).click()
  await publishByApi(opened, '1.4.0')
  await dialog().getByRole('button', { name: 'Publish 1.4.0' }).click()
  await main()
    .getByText(/1\.4\.0.* already exists/)
    .waitFor()
  await focusedAndInvalid('Version')
  await dialog().waitFor({ state: 'hidden' })
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.4.0')
  expect((await callApi(opened, 'POST', 'releases', releaseBody('1.4.0'))).status).toBe(409)
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await dialog().getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})
