import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { isOnPostgres } from '../support/servers/engine.ts'
import { publishByApi } from './support/api.ts'
import { inBrowser } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { chooseItem, holdsFocus, openAddress, openDialog, screenButton } from './support/dialog.ts'
import { type Faults, interceptCalls, type ProcedurePath } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { conditionField, createApp, fillRelease } from './support/steps.ts'

const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await publishByApi(opened, '1.1.0', { rolloutPct: 25 })
  await checkAll(opened.address, '1.0.0', 5)
  // Never offered: its targets can be narrowed.
  await publishByApi(opened, '0.9.0')
})
beforeEach(() => opened.goTo('Overview'))
afterEach(() => faults.end())

const dialog = () => openDialog(opened)
const button = (name: string) => screenButton(opened, name)
const item = (trigger: string, name: string) => chooseItem(opened, trigger, name)
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
  'roll back': {
    at: '#/releases/editor/stable/1.1.0',
    procedure: 'releases.changeServing',
    action: 'Roll back 1.1.0',
    open: () => step('Roll back 1.1.0'),
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
    procedure: inBrowser ? 'backups.restore' : 'shell.restoreBackup',
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

const focusIsOnButton = () =>
  opened.page.evaluate(() => document.activeElement?.matches('main button') === true)

test.each(Object.entries(DIALOGS).filter(([name]) => !(isOnPostgres && name === 'restore')))(
  '%s: stays open while its change is sent, keeps the focus, and returns it',
  async (_, { at, open, procedure, action }) => {
    const { page } = opened
    await openAddress(opened, at)
    await open()
    // It takes the focus a moment after it is drawn, and would take it back from the button.
    await expect.poll(() => holdsFocus(dialog())).toBe(true)
    const held = await faults.hold(procedure)
    const submit = dialog().getByRole('button', { name: action, exact: true })
    await expect.poll(() => submit.isEnabled()).toBe(true)
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
    // What opened it, not the heading, which gets the focus where nothing else can have it.
    await expect.poll(focusIsOnButton).toBe(true)
    if (procedure === 'releases.publish') await discardDraft()
    if (action === 'Change targets') await button('Cancel').click()
  },
)

test('Escape right after its change was sent does not close it, and the focus stays in it', async () => {
  const { page } = opened
  await openAddress(opened, '#/apps/editor')
  await item('Manage', 'Archive')
  await expect.poll(() => holdsFocus(dialog())).toBe(true)
  const held = await faults.hold('apps.setArchived')
  // Nothing comes in between, not even what React draws later.
  await dialog()
    .getByRole('button', { name: 'Archive', exact: true })
    .evaluate(async (submit) => {
      if (submit instanceof HTMLElement) submit.click()
      await Promise.resolve()
      document.querySelector<HTMLElement>('[role=dialog] [aria-label=Close]')?.focus()
      const key = { key: 'Escape', bubbles: true, cancelable: true }
      submit.dispatchEvent(new KeyboardEvent('keydown', key))
    })
  await held.asked()
  await expect.poll(() => holdsFocus(dialog())).toBe(true)
  await held.fail()
  await dialog().getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(focusIsOnButton).toBe(true)
})

test('a dialog takes the focus of what is disabled in it', async () => {
  const { page } = opened
  await openAddress(opened, '#/apps/editor')
  await item('Manage', 'Archive')
  await expect.poll(() => holdsFocus(dialog())).toBe(true)
  await dialog()
    .getByRole('button', { name: 'Close', exact: true })
    .evaluate((close) => {
      if (!(close instanceof HTMLButtonElement)) throw new Error('not a button')
      close.focus()
      close.disabled = true
    })
  await expect.poll(() => holdsFocus(dialog())).toBe(true)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(focusIsOnButton).toBe(true)
})

async function discardDraft(): Promise<void> {
  const { page } = opened
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.2.0')
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await dialog().getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}
