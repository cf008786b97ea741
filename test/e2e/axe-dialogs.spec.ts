import { beforeAll, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { findings, findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, fillRelease } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0', { notes: 'See [the news](https://example.invalid/)' })
  await publishByApi(opened, '1.1.0', { rolloutPct: 25 })
  await checkAll(opened.address, '1.0.0', 5)
})

const button = (name: string) =>
  opened.page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
const item = async (trigger: string, name: string) => {
  await button(trigger)
  await opened.page.getByRole('menuitem', { name, exact: true }).click()
}
const step = async (name: string) => {
  await button(name)
  await opened.page
    .getByRole('dialog')
    .getByRole('status')
    .getByText(/newly offered|nothing to count/)
    .waitFor()
}

/** Every dialog: where it is, and what opens it. */
const DIALOGS: Readonly<Record<string, readonly [hash: string, open: () => Promise<void>]>> = {
  'create app': ['#/apps', () => button('Create app')],
  'create channel': ['#/apps/editor', () => button('Create channel')],
  rules: ['#/apps/editor', () => item('Manage channel stable', 'Edit policy')],
  'delete channel': ['#/apps/editor', () => item('Manage channel stable', 'Delete')],
  rename: ['#/apps/editor', () => item('Manage', 'Rename')],
  archive: ['#/apps/editor', () => item('Manage', 'Archive')],
  'delete app': ['#/apps/editor', () => item('Manage', 'Delete')],
  'create key': ['#/keys', () => button('Create key')],
  'revoke key': ['#/keys', () => button('Revoke key pipeline')],
  'roll back': ['#/releases/editor/stable/1.1.0', () => step('Roll back 1.1.0')],
  raise: [
    '#/releases/editor/stable/1.1.0',
    async () => {
      await button('50%')
      await step('Raise to 50%')
    },
  ],
  publish: [
    '#/releases/publish',
    async () => {
      await fillRelease(opened.page, '1.2.0')
      await button('Publish')
    },
  ],
}

test('no dialog has a serious finding', async () => {
  const { page, goTo } = opened
  for (const [name, [hash, open]] of Object.entries(DIALOGS)) {
    await goTo('Overview')
    await page.evaluate((place) => {
      location.hash = place
    }, hash)
    await open()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect.soft({ [name]: await findingsInBothThemes(opened) }).toEqual({ [name]: NO_FINDINGS })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await goToOverviewWithoutDraft()
})

test('the leave dialog and the dialog with a new key have no serious finding', async () => {
  const { page, goTo } = opened
  await goTo('API keys')
  await button('Create key')
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('looked at')
  await form.getByRole('checkbox', { name: 'Read' }).check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('button', { name: 'I have copied it' })
  await shown.waitFor()
  expect(await findings(opened)).toEqual([])
  await shown.click()
})

async function goToOverviewWithoutDraft(): Promise<void> {
  const { page } = opened
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  const leave = page.getByRole('dialog', { name: 'Leave without publishing' })
  await leave.waitFor()
  expect.soft({ leave: await findingsInBothThemes(opened) }).toEqual({ leave: NO_FINDINGS })
  await leave.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}
