import type { Locator } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintKey, publishByApi } from './support/api.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { type Faults, interceptCalls, type ProcedurePath } from './support/faults.ts'
import { clickMenu } from './support/menu.ts'
import { conditionField, createApp, fillRelease } from './support/steps.ts'

let opened: ReleaseConsole
let faults: Faults

beforeAll(async () => {
  opened = await openConsole({ reducedMotion: true })
  faults = await interceptCalls(opened)
  await createApp(opened)
  const key = await mintKey(opened)
  await publishByApi(opened, key, '1.0.0')
  await publishByApi(opened, key, '1.1.0', { rolloutPct: 25 })
  await checkAll(opened.address, '1.0.0', 5)
  // Never offered: its targets can be narrowed.
  await publishByApi(opened, key, '0.9.0')
})
afterAll(() => opened?.close())

const dialog = () => opened.page.getByRole('dialog')
const button = (name: string) =>
  opened.page.getByRole('main').getByRole('button', { name, exact: true }).first()
const item = async (trigger: string, name: string) => {
  await button(trigger).click()
  await opened.page.getByRole('menuitem', { name, exact: true }).click()
}
const step = async (name: string) => {
  await button(name).click()
  await dialog()
    .getByRole('status')
    .getByText(/newly offered|nothing to count/)
    .waitFor()
}
const field = (name: string) => dialog().getByRole('textbox', { name })

interface Case {
  readonly at: string
  /** Opens the dialog and fills it in. */
  readonly open: () => Promise<void>
  readonly procedure: ProcedurePath
  readonly action: string
}

/** Every dialog that changes something. */
const DIALOGS: Readonly<Record<string, Case>> = {
  'create app': {
    at: '#/apps',
    procedure: 'apps.create',
    action: 'Create app',
    async open() {
      await button('Create app').click()
      await field('Name').fill('Viewer')
    },
  },
  'create channel': {
    at: '#/apps/editor',
    procedure: 'channels.create',
    action: 'Create channel',
    async open() {
      await button('Create channel').click()
      await field('Name').fill('nightly')
    },
  },
  policy: {
    at: '#/apps/editor',
    procedure: 'channels.setPolicy',
    action: 'Save policy',
    open: () => item('Manage channel stable', 'Edit policy'),
  },
  'delete channel': {
    at: '#/apps/editor',
    procedure: 'channels.remove',
    action: 'Delete stable',
    async open() {
      await item('Manage channel stable', 'Delete')
      await dialog().getByRole('textbox').fill('stable')
    },
  },
  rename: {
    at: '#/apps/editor',
    procedure: 'apps.rename',
    action: 'Rename',
    open: () => item('Manage', 'Rename'),
  },
  archive: {
    at: '#/apps/editor',
    procedure: 'apps.setArchived',
    action: 'Archive',
    open: () => item('Manage', 'Archive'),
  },
  'delete app': {
    at: '#/apps/editor',
    procedure: 'apps.remove',
    action: 'Delete editor',
    async open() {
      await item('Manage', 'Delete')
      await dialog().getByRole('textbox').fill('editor')
    },
  },
  'create key': {
    at: '#/keys',
    procedure: 'keys.mint',
    action: 'Create key',
    async open() {
      await button('Create key').click()
      await field('Name').fill('build machine')
      await dialog().getByRole('checkbox', { name: 'Read' }).check()
    },
  },
  'revoke key': {
    at: '#/keys',
    procedure: 'keys.revoke',
    action: 'Revoke key',
    open: () => button('Revoke key pipeline').click(),
  },
  pause: {
    at: '#/releases/editor/stable/1.1.0',
    procedure: 'releases.changeServing',
    action: 'Pause 1.1.0',
    open: () => step('Pause 1.1.0'),
  },
  targets: {
    at: '#/releases/editor/stable/0.9.0',
    procedure: 'releases.changeServing',
    action: 'Change targets',
    async open() {
      await button('Edit targets').click()
      await button('Add label').click()
      await conditionField(opened.page, 'Key of label 1').fill('ring')
      await conditionField(opened.page, 'Values of label 1').fill('beta')
      await opened.page.keyboard.press('Enter')
      await step('Change targets')
    },
  },
  'forget device': {
    at: '#/devices/editor/device-1',
    procedure: 'devices.forget',
    action: 'Forget device',
    open: () => button('Forget device').click(),
  },
  publish: {
    at: '#/releases/publish',
    procedure: 'releases.publish',
    action: 'Publish 1.2.0',
    async open() {
      await fillRelease(opened.page, '1.2.0')
      await button('Publish').click()
    },
  },
  restore: {
    at: '#/settings',
    procedure: 'shell.restoreBackup',
    action: 'Restore backup',
    async open() {
      await button('Back up now').click()
      await opened.page
        .getByRole('button', { name: /^Restore .*tidegate/ })
        .first()
        .click()
      await dialog().getByRole('textbox').fill('restore')
    },
  },
}

async function goTo(hash: string): Promise<void> {
  const { page, goTo: open } = opened
  await open('Overview')
  await page.evaluate((place) => {
    location.hash = place
  }, hash)
}

const holdsFocus = (element: Locator) =>
  element.evaluate((it) => it.contains(document.activeElement))
const focusIsOnPage = () => opened.page.evaluate(() => document.activeElement !== document.body)

test.each(Object.entries(DIALOGS))(
  '%s: stays open while its change is sent, keeps the focus, and returns it',
  async (_, { at, open, procedure, action }) => {
    const { page } = opened
    await goTo(at)
    await open()
    const held = await faults.hold(procedure)
    const submit = dialog().getByRole('button', { name: action, exact: true })
    await submit.focus()
    await page.keyboard.press('Enter')
    await held.asked()
    // None of these closes it or sends it once more.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.mouse.click(4, 4)
    for (const way of ['Cancel', 'Close']) {
      await dialog().getByRole('button', { name: way, exact: true }).dispatchEvent('click')
    }
    await expect.poll(() => holdsFocus(dialog())).toBe(true)
    await held.fail()
    await dialog().getByRole('alert').waitFor()
    expect(await held.count()).toBe(1)
    await expect.poll(() => holdsFocus(dialog())).toBe(true)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await expect.poll(focusIsOnPage).toBe(true)
    if (procedure === 'releases.publish') await discardDraft()
    if (action === 'Change targets') await button('Cancel').click()
  },
)

async function discardDraft(): Promise<void> {
  const { page } = opened
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.2.0')
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await dialog().getByRole('button', { name: 'Discard draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

const said = (text: string | RegExp) =>
  opened.page.locator('.mantine-Notification-root').filter({ hasText: text }).first()

/** Waits for an announcement that stays until it is dismissed, and dismisses it. */
const dismiss = (text: string) => said(text).getByRole('button').click()

test('an app created while another screen is open is announced there', async () => {
  const { page } = opened
  await goTo('#/apps')
  await button('Create app').click()
  await field('Name').fill('Elsewhere')
  const held = await faults.hold('apps.create')
  await dialog().getByRole('button', { name: 'Create app' }).click()
  await held.asked()
  await clickMenu(opened.app, 'Audit log')
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await held.release()
  await said('Elsewhere was created').waitFor()
  expect(await page.evaluate(() => location.hash)).toBe('#/audit')
})

test('a change that fails after its screen was left is announced', async () => {
  const { page } = opened
  await goTo('#/apps/editor')
  await item('Manage', 'Rename')
  await field('Name').fill('Other')
  const held = await faults.hold('apps.rename')
  await dialog().getByRole('button', { name: 'Rename' }).click()
  await held.asked()
  await clickMenu(opened.app, 'Audit log')
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await held.fail()
  await said('The server is not responding').waitFor()
})

test('settings that fail after their screen was left are announced', async () => {
  const { page } = opened
  await goTo('#/settings')
  const data = page.getByRole('form', { name: 'Data retention and backups', exact: true })
  await data.getByLabel('Keep check-ins').fill('30')
  const settings = await faults.hold('shell.saveSettings')
  await data.getByRole('button', { name: /^Save and/ }).click()
  await settings.asked()
  const preferences = await faults.hold('shell.setPreferences')
  await page.getByRole('radiogroup', { name: 'Time zone' }).getByText('UTC').click()
  await preferences.asked()
  await clickMenu(opened.app, 'Audit log')
  await dialog().getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await settings.fail()
  await dismiss('The settings were not saved')
  await preferences.fail()
  await dismiss('The setting was not saved')
})

test('preferences that are changed while another one is being saved are saved in turn', async () => {
  const { page } = opened
  await goTo('#/settings')
  const preferences = await faults.hold('shell.setPreferences')
  const zone = page.getByRole('radiogroup', { name: 'Time zone' })
  await zone.getByText('UTC').click()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click()
  await preferences.asked()
  await preferences.release()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await expect.poll(() => zone.getByRole('radio', { name: 'UTC' }).isChecked()).toBe(true)
})

test('a form with faults focuses the first faulty field', async () => {
  const { page } = opened
  await goTo('#/apps')
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
  await goTo('#/keys')
  await button('Revoke key pipeline').click()
  await dialog().getByRole('button', { name: 'Revoke key' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await button('Revoke key pipeline').waitFor({ state: 'detached' })
  const heading = page.getByRole('heading', { level: 1, name: 'API keys' })
  await expect.poll(() => holdsFocus(heading)).toBe(true)
})

test('the publish form cannot be left while the release is being sent', async () => {
  const { page } = opened
  await goTo('#/releases/publish')
  await fillRelease(page, '1.3.0')
  await button('Publish').click()
  const held = await faults.hold('releases.publish')
  await dialog().getByRole('button', { name: 'Publish 1.3.0' }).click()
  await held.asked()
  await clickMenu(opened.app, 'Audit log')
  await said('Publishing 1.3.0').waitFor()
  await held.release()
  await page.getByRole('heading', { level: 1, name: '1.3.0' }).waitFor()
})
