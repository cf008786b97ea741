import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, publishByApi, SHA512 } from './support/api.ts'
import { check } from './support/device.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { chooseRollout, createApp, fillRelease, openPublishForm } from './support/steps.ts'

const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
  await createApp(opened)
})
beforeEach(() => opened.goTo('Overview'))
afterEach(() => faults.end())

/** Adds an artifact to a draft, as a build job does. */
async function addByApi(version: string, kind: string, notes?: string): Promise<void> {
  const url = `https://downloads.example.com/editor.${kind}`
  const artifacts = [{ platform: 'linux', arch: 'x86_64', kind, url, sha512: SHA512 }]
  const body = { app: 'editor', channel: 'stable', version, artifacts, ...(notes && { notes }) }
  expect(await callApi(opened, 'PUT', 'drafts', body)).toMatchObject({ status: 200 })
}

/** Asks for a draft, as a build job does. */
const getByApi = (version: string) => callApi(opened, 'GET', `drafts/editor/stable/${version}`)

const main = () => opened.page.getByRole('main')
const button = (name: string) => main().getByRole('button', { name, exact: true })
const heading = (name: string) => opened.page.getByRole('heading', { level: 1, name })
const form = () => opened.page.getByRole('form', { name: 'Release' })
const artifacts = () => form().getByRole('group', { name: /^Artifact \d/ })
const notes = () => form().getByRole('textbox', { name: 'Release notes' })
const announced = (text: string) => opened.page.getByRole('alert').getByText(text)

/** Opens a draft from the list of releases. */
async function openDraft(version: string): Promise<void> {
  await opened.goTo('Releases')
  await main()
    .getByRole('link', { name: /^Drafts/ })
    .click()
  await heading('Drafts').waitFor()
  await main()
    .getByRole('link', { name: new RegExp(`^${version.replaceAll('.', '\\.')} `) })
    .click()
  await heading(version).waitFor()
  await form().waitFor()
}

test('what build jobs add is edited, previewed and published', async () => {
  const { page, address } = opened
  await addByApi('1.0.0', 'deb', 'From the job')
  await opened.goTo('Releases')
  await main().getByRole('link', { name: 'Drafts (1)' }).waitFor()
  await openDraft('1.0.0')
  expect(await artifacts().count()).toBe(1)

  await addByApi('1.0.0', 'rpm')
  await expect.poll(() => artifacts().count()).toBe(2)

  const preview = main().getByRole('region', { name: 'Preview' })
  await preview.getByText('Update offered: 1.0.0 (optional).').waitFor()
  await preview.getByText('https://downloads.example.com/editor.deb').waitFor()
  await preview.getByLabel('Bundle kind').fill('rpm')
  await preview.getByText('https://downloads.example.com/editor.rpm').waitFor()
  await preview.getByLabel('Bundle kind').fill('')
  await preview.getByText('No update: 1.0.0 has only deb and rpm for linux x86_64').waitFor()
  await preview.getByLabel('Platform').fill('')
  await preview.getByText('Enter a platform, an architecture and a version').waitFor()

  await notes().fill('Edited')
  await addByApi('1.0.0', 'appimage')
  const changed = page.getByRole('alert').filter({ hasText: 'This draft has changed' })
  await changed.waitFor()
  await button('Save draft').click()
  await form().getByText('has changed since you opened it').waitFor()
  expect(await notes().inputValue()).toBe('Edited')
  await changed.getByRole('button', { name: 'Load current draft' }).click()
  await expect.poll(() => artifacts().count()).toBe(3)
  expect(await notes().inputValue()).toBe('From the job')

  await notes().fill('Edited again')
  await button('Save draft').click()
  await announced('Draft of 1.0.0 saved').waitFor()
  await button('Remove artifact 2').click()
  await chooseRollout(page, 'Everyone at once')
  await button('Publish').click()
  const dialog = page.getByRole('dialog', { name: 'Publish 1.0.0' })
  await dialog.getByText('1.0.0 will be offered to all devices on editor/stable.').waitFor()
  await dialog.getByRole('button', { name: 'Publish 1.0.0' }).click()
  await page.getByText('Not yet').first().waitFor()
  await main().getByText('Edited again').waitFor()
  expect(await check(address, '0.9.0')).toMatchObject({
    url: 'https://downloads.example.com/editor.appimage',
  })
  await opened.goTo('Releases')
  await main().getByRole('link', { name: 'Drafts', exact: true }).click()
  await main().getByText('No drafts yet').waitFor()
})

test('a release is saved as a draft, and deleted', async () => {
  const { page } = opened
  await openPublishForm(opened)
  await fillRelease(page, '2.0.0')
  await button('Save draft').click()
  await announced('Draft of 2.0.0 saved').waitFor()
  await heading('2.0.0').waitFor()
  await expect.poll(() => artifacts().count()).toBe(1)

  await notes().fill('To be lost')
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leave.getByRole('button', { name: 'Cancel' }).click()
  await button('Delete draft').click()
  const dialog = page.getByRole('dialog', { name: 'Delete the draft of 2.0.0?' })
  await dialog.getByText('Its release notes and 1 artifact will be lost.').waitFor()
  await dialog.getByRole('button', { name: 'Delete draft' }).click()
  await announced('Draft of 2.0.0 deleted').waitFor()
  await heading('Drafts').waitFor()
  expect((await getByApi('2.0.0')).status).toBe(404)
})

test('the address of a draft that does not exist says so', async () => {
  const { page } = opened
  await page.evaluate(() => window.location.assign('#/releases/drafts/editor/stable/9.0.0'))
  await main().getByText('Draft not found').waitFor()
  await main().getByRole('link', { name: 'Go to drafts' }).click()
  await heading('Drafts').waitFor()
})

test('a draft that a build job publishes meanwhile is shown as gone, with what was typed', async () => {
  const { page } = opened
  await addByApi('3.0.0', 'deb')
  await openDraft('3.0.0')
  await notes().fill('Too late')
  const place = { app: 'editor', channel: 'stable', version: '3.0.0' }
  expect(await callApi(opened, 'POST', 'drafts/publish', place)).toMatchObject({ status: 201 })
  await page.getByRole('alert').getByText('This draft no longer exists').waitFor()
  expect(await notes().inputValue()).toBe('Too late')
  await button('Save draft').click()
  await form().getByText('already exists').first().waitFor()
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
})

test('a draft of a version that exists is refused at its field', async () => {
  const { page } = opened
  await publishByApi(opened, '0.5.0')
  await openPublishForm(opened)
  await fillRelease(page, '0.5.0')
  await button('Save draft').click()
  // By what is known of the version, or by the refusal of the server.
  await form()
    .getByText(/0\.5\.0.* already exists/)
    .waitFor()
  await form().getByText('Fix the highlighted fields').waitFor()
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
})

test('a draft that was saved is edited further before it is loaded again', async () => {
  await addByApi('1.1.0', 'deb', 'From the job')
  await openDraft('1.1.0')
  await notes().fill('First')
  const held = await faults.hold('drafts.get')
  await button('Save draft').click()
  await announced('Draft of 1.1.0 saved').waitFor()
  await held.asked()
  expect(await notes().inputValue()).toBe('First')
  await notes().fill('Second')
  await button('Save draft').click()
  await expect
    .poll(async () => (await getByApi('1.1.0')).body)
    .toMatchObject({ draft: { notes: 'Second' } })
  await held.release()
  expect(await notes().inputValue()).toBe('Second')
  await opened.goTo('Overview')
})

test('a draft that is saved without a change can be left without a question', async () => {
  await addByApi('1.2.0', 'deb', 'From the job')
  await openDraft('1.2.0')
  await button('Save draft').click()
  await announced('Draft of 1.2.0 saved').waitFor()
  await opened.goTo('Overview')
})
