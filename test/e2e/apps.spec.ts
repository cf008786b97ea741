import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { check } from './support/device.ts'
import { createApp, publish } from './support/steps.ts'

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole()
  await createApp(opened)
  await publish(opened, '1.0.0')
  await publish(opened, '1.1.0')
  await openApp()
})
afterAll(() => opened?.close())

const dialog = (name: string) => opened.page.getByRole('dialog', { name })
const menu = async (trigger: string, item: string) => {
  await opened.page.getByRole('button', { name: trigger, exact: true }).click()
  await opened.page.getByRole('menuitem', { name: item, exact: true }).click()
}
async function openApp(name = 'Editor') {
  await opened.goTo('Apps and channels')
  await opened.page.getByRole('link', { name, exact: true }).click()
  await opened.page.getByRole('heading', { level: 1, name }).waitFor()
}
async function confirm(title: string, action: string) {
  await dialog(title).getByRole('button', { name: action, exact: true }).click()
  await dialog(title).waitFor({ state: 'hidden' })
}

test('a channel is created, and devices can check it for updates', async () => {
  const { page, address } = opened
  await page.getByRole('button', { name: 'Create channel' }).click()
  const name = dialog('Create a channel').getByRole('textbox', { name: 'Name' })
  await name.fill('No spaces')
  await dialog('Create a channel')
    .getByText(/The name must/)
    .waitFor()
  await name.fill('beta')
  await confirm('Create a channel', 'Create channel')
  await page.getByRole('cell', { name: 'beta', exact: true }).waitFor()
  expect(await check(address, '1.0.0', undefined, { channel: 'beta' })).toBeNull()
})

test('update checks follow the channel policy', async () => {
  const { page, address } = opened
  expect(await check(address, '1.0.0')).toMatchObject({ updateMode: 'optional' })
  await menu('Manage channel stable', 'Edit policy')
  const lowest = dialog('Channel policy: stable').getByLabel('Minimum supported version')
  await lowest.fill('one')
  await dialog('Channel policy: stable')
    .getByText(/^This version/)
    .waitFor()
  await lowest.fill('1.0.5')
  await confirm('Channel policy: stable', 'Save policy')
  await page.getByRole('cell', { name: '1.0.5' }).waitFor()
  expect(await check(address, '1.0.0')).toMatchObject({
    updateMode: 'required',
    minimumSupportedVersion: '1.0.5',
  })
  expect(await check(address, '1.0.6')).toMatchObject({ updateMode: 'optional' })
  await menu('Manage channel stable', 'Edit policy')
  await dialog('Channel policy: stable').getByRole('radio', { name: 'Required' }).check()
  await confirm('Channel policy: stable', 'Save policy')
  expect(await check(address, '1.0.6')).toMatchObject({ updateMode: 'required' })
})

test('the rollback behavior decides between downgrade and roll forward', async () => {
  const { page, address } = opened
  await publish(opened, '1.2.0')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('editor/stable').click()
  await page.getByRole('link', { name: '1.1.0 of editor/stable' }).click()
  await page.getByRole('button', { name: 'Roll back 1.1.0' }).click()
  await dialog('Roll back 1.1.0')
    .getByText(/newly offered|nothing to count/)
    .waitFor()
  await confirm('Roll back 1.1.0', 'Roll back 1.1.0')
  expect(await check(address, '1.1.0')).toMatchObject({ version: '1.0.0', allowDowngrade: true })
  await openApp()
  await menu('Manage channel stable', 'Edit policy')
  await dialog('Channel policy: stable').getByRole('radio', { name: 'Roll forward' }).check()
  await confirm('Channel policy: stable', 'Save policy')
  expect(await check(address, '1.1.0')).toMatchObject({ version: '1.2.0' })
})

test('an app is renamed, and its reference stays', async () => {
  const { page, address } = opened
  await menu('Manage', 'Rename')
  await dialog('Rename Editor').getByRole('textbox', { name: 'Name' }).fill('Harbour Editor')
  await confirm('Rename Editor', 'Rename')
  await page.getByRole('heading', { level: 1, name: 'Harbour Editor' }).waitFor()
  expect(await check(address, '1.0.0')).toMatchObject({ version: '1.2.0' })
})

test('a channel or an app with published releases cannot be deleted', async () => {
  await menu('Manage channel stable', 'Delete')
  await refusedDelete('Delete channel stable', 'stable', 'Delete stable')
  await menu('Manage', 'Delete')
  await refusedDelete('Delete Harbour Editor', 'editor', 'Delete editor')
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
  await menu('Manage channel beta', 'Delete')
  await dialog('Delete channel beta').getByRole('textbox').fill('beta')
  await confirm('Delete channel beta', 'Delete beta')
  await page.getByRole('cell', { name: 'beta', exact: true }).waitFor({ state: 'detached' })
})

test('an archived app is not served until it is restored, and can be deleted', async () => {
  const { page, address } = opened
  await menu('Manage', 'Archive')
  await confirm('Archive Harbour Editor', 'Archive')
  await page.getByText('Its devices receive no updates.').waitFor()
  await expect(check(address, '1.0.0')).rejects.toThrow('404')
  await menu('Manage', 'Restore')
  await confirm('Restore Harbour Editor', 'Restore')
  expect(await check(address, '1.0.0')).toMatchObject({ version: '1.2.0' })
  await menu('Manage', 'Archive')
  await confirm('Archive Harbour Editor', 'Archive')
  await menu('Manage', 'Delete')
  await dialog('Delete Harbour Editor').getByRole('textbox').fill('editor')
  await confirm('Delete Harbour Editor', 'Delete editor')
  await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
})
