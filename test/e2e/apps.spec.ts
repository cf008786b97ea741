import { expect, test } from 'vitest'
import { callApi, mutate, publishByApi } from './support/api.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

/** Creates an app with releases on its channel stable; its page is open afterwards. */
async function newApp(name: string, ...versions: string[]): Promise<string> {
  const ref = name.toLowerCase()
  await createApp(opened, { name, ref })
  for (const version of versions) await publishByApi(opened, version, { app: ref })
  return ref
}

const dialog = (name: string) => opened.page.getByRole('dialog', { name })
const menu = async (trigger: string, item: string) => {
  await opened.page.getByRole('button', { name: trigger, exact: true }).click()
  await opened.page.getByRole('menuitem', { name: item, exact: true }).click()
}
async function confirm(title: string, action: string) {
  await dialog(title).getByRole('button', { name: action, exact: true }).click()
  await dialog(title).waitFor({ state: 'hidden' })
}

test('a channel is created, and devices can check it for updates', async () => {
  const { page, address } = opened
  const app = await newApp('Sketcher')
  await page.getByRole('button', { name: 'Create channel' }).click()
  const name = dialog('Create a channel').getByRole('textbox', { name: 'Name' })
  await name.fill('No spaces')
  await dialog('Create a channel')
    .getByText(/The name must/)
    .waitFor()
  await name.fill('beta')
  await confirm('Create a channel', 'Create channel')
  await page.getByRole('cell', { name: 'beta', exact: true }).waitFor()
  expect(await check(address, '1.0.0', undefined, { app, channel: 'beta' })).toBeNull()
  await page.getByRole('main').getByRole('link', { name: 'Publish a release' }).click()
  await page.getByRole('heading', { level: 1, name: 'Publish a release' }).waitFor()
  expect(page.url()).toContain(`app=${app}`)
})

test('the policy of a channel is what devices are offered', async () => {
  const { page, address } = opened
  const app = await newApp('Composer', '1.1.0')
  const offer = (version: string) => check(address, version, undefined, { app })
  expect(await offer('1.0.0')).toMatchObject({ updateMode: 'optional' })
  await menu('Manage channel stable', 'Edit policy')
  const lowest = dialog('Channel policy: stable').getByLabel('Minimum supported version')
  await lowest.fill('one')
  await dialog('Channel policy: stable')
    .getByText(/^This version/)
    .waitFor()
  const approval = dialog('Channel policy: stable').getByLabel('Require approval')
  await approval.check()
  await dialog('Channel policy: stable').getByText('Nobody else can approve').waitFor()
  await approval.uncheck()
  await lowest.fill('1.0.5')
  await confirm('Channel policy: stable', 'Save policy')
  await page.getByRole('cell', { name: '1.0.5' }).waitFor()
  expect(await offer('1.0.0')).toMatchObject({
    updateMode: 'required',
    minimumSupportedVersion: '1.0.5',
  })
  expect(await offer('1.0.6')).toMatchObject({ updateMode: 'optional' })
  await menu('Manage channel stable', 'Edit policy')
  await dialog('Channel policy: stable').getByRole('radio', { name: 'Required' }).check()
  await confirm('Channel policy: stable', 'Save policy')
  expect(await offer('1.0.6')).toMatchObject({ updateMode: 'required' })
})

test('the rollback behavior decides which way devices go', async () => {
  const { address } = opened
  const app = await newApp('Recorder', '1.0.0', '1.1.0', '1.2.0')
  const serving = { app, channel: 'stable', version: '1.1.0', status: 'rolled_back' }
  expect((await callApi(opened, 'PATCH', 'releases', serving)).status).toBe(200)
  const offer = () => check(address, '1.1.0', undefined, { app })
  expect(await offer()).toMatchObject({ version: '1.0.0', allowDowngrade: true })
  await menu('Manage channel stable', 'Edit policy')
  await dialog('Channel policy: stable').getByRole('radio', { name: 'Roll forward' }).check()
  await confirm('Channel policy: stable', 'Save policy')
  expect(await offer()).toMatchObject({ version: '1.2.0' })
})

test('an app is renamed, and its reference stays', async () => {
  const { page, address } = opened
  const app = await newApp('Viewer', '1.2.0')
  await menu('Manage', 'Rename')
  await dialog('Rename Viewer').getByRole('textbox', { name: 'Name' }).fill('Harbour Viewer')
  await confirm('Rename Viewer', 'Rename')
  await page.getByRole('heading', { level: 1, name: 'Harbour Viewer' }).waitFor()
  expect(await check(address, '1.0.0', undefined, { app })).toMatchObject({ version: '1.2.0' })
})

test('a channel or an app with published releases cannot be deleted', async () => {
  await newApp('Player', '1.0.0')
  await menu('Manage channel stable', 'Delete')
  await refusedDelete('Delete channel stable', 'stable', 'Delete stable')
  await menu('Manage', 'Delete')
  await refusedDelete('Delete Player', 'player', 'Delete player')
})

async function refusedDelete(title: string, typed: string, action: string) {
  const button = dialog(title).getByRole('button', { name: action })
  expect(await button.isDisabled()).toBe(true)
  await dialog(title).getByRole('textbox').fill(typed)
  await button.click()
  await dialog(title)
    .getByRole('alert')
    .getByText(/has published releases/)
    .waitFor()
  await dialog(title).getByRole('button', { name: 'Cancel' }).click()
  await dialog(title).waitFor({ state: 'hidden' })
}

test('a channel without published releases is deleted after its name is typed', async () => {
  const { page } = opened
  const app = await newApp('Scanner')
  await mutate(opened, 'channels.create', { app, name: 'beta' })
  await menu('Manage channel beta', 'Delete')
  await dialog('Delete channel beta').getByRole('textbox').fill('beta')
  await confirm('Delete channel beta', 'Delete beta')
  await page.getByRole('cell', { name: 'beta', exact: true }).waitFor({ state: 'detached' })
})

test('an archived app is not served until it is restored, and can be deleted', async () => {
  const { page, address } = opened
  const app = await newApp('Reader', '1.2.0')
  const offer = () => check(address, '1.0.0', undefined, { app })
  await menu('Manage', 'Archive')
  await confirm('Archive Reader', 'Archive')
  await page.getByText('Its devices receive no updates.').waitFor()
  await expect(offer()).rejects.toThrow('404')
  await menu('Manage', 'Restore')
  await confirm('Restore Reader', 'Restore')
  expect(await offer()).toMatchObject({ version: '1.2.0' })
  await menu('Manage', 'Archive')
  await confirm('Archive Reader', 'Archive')
  await menu('Manage', 'Delete')
  await dialog('Delete Reader').getByRole('textbox').fill('reader')
  await confirm('Delete Reader', 'Delete reader')
  await page.getByRole('heading', { level: 1, name: 'Apps and channels' }).waitFor()
  await page.getByRole('link', { name: 'Reader', exact: true }).waitFor({ state: 'detached' })
})
