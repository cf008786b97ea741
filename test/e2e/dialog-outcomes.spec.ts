import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mintKey } from './support/api.ts'
import {
  announcement,
  chooseItem,
  holdsFocus,
  openAddress,
  openDialog,
  screenButton,
} from './support/dialog.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, fillRelease } from './support/steps.ts'
import { goPastDialog } from './support/window.ts'

const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
  await createApp(opened)
})
beforeEach(() => opened.goTo('Overview'))
afterEach(() => faults.end())

const dialog = () => openDialog(opened)
const button = (name: string) => screenButton(opened, name)
const field = (name: string) => dialog().getByRole('textbox', { name })

test('an app created while another screen is open is announced there', async () => {
  const { page } = opened
  await openAddress(opened, '#/apps')
  await button('Create app').click()
  await field('Name').fill('Elsewhere')
  const held = await faults.hold('apps.create')
  await dialog().getByRole('button', { name: 'Create app' }).click()
  await held.asked()
  await goPastDialog(opened, 'Audit log')
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await held.release()
  await announcement(opened, 'Elsewhere was created').waitFor()
  // Once the screen shows the change, the dialog would have opened the app.
  await page.getByText('Created app Elsewhere.').waitFor()
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(await page.evaluate(() => location.hash)).toBe('#/audit')
})

test('a change that fails after its screen was left is announced', async () => {
  const { page } = opened
  await openAddress(opened, '#/apps/editor')
  await chooseItem(opened, 'Manage', 'Rename')
  await field('Name').fill('Other')
  const held = await faults.hold('apps.rename')
  await dialog().getByRole('button', { name: 'Rename' }).click()
  await held.asked()
  await goPastDialog(opened, 'Audit log')
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await held.fail()
  await announcement(opened, 'Editor was not renamed to Other').waitFor()
})

test('a form with faults focuses the first faulty field', async () => {
  const { page } = opened
  await openAddress(opened, '#/apps')
  await button('Create app').click()
  await field('Name').fill('Named')
  await field('Reference').fill('Not a reference')
  await dialog().getByRole('button', { name: 'Create app' }).click()
  await expect.poll(() => holdsFocus(field('Reference'))).toBe(true)
  await field('Name').fill('')
  await dialog().getByRole('button', { name: 'Create app' }).click()
  await expect.poll(() => holdsFocus(field('Name'))).toBe(true)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(() => holdsFocus(button('Create app'))).toBe(true)
})

test('the heading gets the focus when the opener of a dialog is gone', async () => {
  const { page } = opened
  await mintKey(opened)
  await openAddress(opened, '#/keys')
  await button('Revoke key pipeline').click()
  await dialog().getByRole('button', { name: 'Revoke key' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await button('Revoke key pipeline').waitFor({ state: 'detached' })
  const heading = page.getByRole('heading', { level: 1, name: 'API keys' })
  await expect.poll(() => holdsFocus(heading)).toBe(true)
})

test('the publish form cannot be left while the release is being sent', async () => {
  const { page } = opened
  await openAddress(opened, '#/releases/publish')
  await fillRelease(page, '1.3.0')
  await button('Publish').click()
  const held = await faults.hold('releases.publish')
  await dialog().getByRole('button', { name: 'Publish 1.3.0' }).click()
  await held.asked()
  await goPastDialog(opened, 'Audit log')
  await announcement(opened, 'Publishing 1.3.0').waitFor()
  await held.release()
  await page.getByRole('heading', { level: 1, name: '1.3.0' }).waitFor()
})
