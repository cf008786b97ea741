import { beforeAll, expect, test } from 'vitest'
import { ended, isShown } from './support/desktop.ts'
import { clickMenu, menuItems } from './support/menu.ts'
import { openForAll } from './support/open-for-all.ts'

const opened = openForAll({ preferences: { closeToTray: true } })

beforeAll(async () => {
  await opened.page.getByText('Server is running').waitFor()
})

test.each([
  { label: 'Fleet', heading: 'Fleet', keys: 'CmdOrCtrl+2' },
  { label: 'Releases', heading: 'Releases', keys: 'CmdOrCtrl+3' },
  { label: 'Calendar', heading: 'Calendar', keys: 'CmdOrCtrl+4' },
  { label: 'Approvals', heading: 'Approvals', keys: 'CmdOrCtrl+5' },
  { label: 'Devices', heading: 'Devices', keys: 'CmdOrCtrl+6' },
  { label: 'Apps and channels', heading: 'Apps and channels', keys: 'CmdOrCtrl+7' },
  { label: 'API keys', heading: 'API keys', keys: 'CmdOrCtrl+8' },
  { label: 'People', heading: 'People', keys: 'CmdOrCtrl+9' },
  { label: 'Webhooks', heading: 'Webhooks', keys: undefined },
  { label: 'Audit log', heading: 'Audit log', keys: undefined },
  { label: 'Settings…', heading: 'Settings', keys: 'CmdOrCtrl+,' },
  { label: 'Publish a release…', heading: 'Publish a release', keys: 'CmdOrCtrl+N' },
  { label: 'Overview', heading: 'Overview', keys: 'CmdOrCtrl+1' },
])('$label has the keys $keys and opens its screen', async ({ label, heading, keys }) => {
  const { app, page } = opened
  const item = (await menuItems(app)).find((it) => it.label === label)
  expect(item?.accelerator ?? undefined).toBe(keys)
  await clickMenu(app, label)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
})

test('the command palette is opened from the menu, unless a dialog is open', async () => {
  const { app, page } = opened
  const label = 'Command palette…'
  const item = (await menuItems(app)).find((it) => it.label === label)
  expect(item?.accelerator).toBe('CmdOrCtrl+K')
  await clickMenu(app, label)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByRole('row', { name: 'Go to Calendar' }).getByText('4').waitFor()
  await clickMenu(app, label)
  // The next command of the menu is handled after it.
  await clickMenu(app, 'Overview')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await field.isVisible()).toBe(false)
})

// A packaged app has none: shell-login.spec.ts.
test('developer tools are available during development', async () => {
  expect((await menuItems(opened.app)).map(({ role }) => role)).toContain('toggledevtools')
})

test('no two items have the same keys', async () => {
  const keys = (await menuItems(opened.app)).flatMap(({ accelerator }) => accelerator ?? [])
  expect(keys.length).toBeGreaterThan(4)
  expect(new Set(keys).size).toBe(keys.length)
})

test('an item brings back a window that was closed to the tray', async () => {
  const { app, page } = opened
  await clickMenu(app, 'Close window')
  await expect.poll(() => isShown(app)).toBe(false)
  await clickMenu(app, 'API keys')
  await expect.poll(() => isShown(app)).toBe(true)
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
})

test('Quit ends the app', async () => {
  const end = ended(opened.app)
  const quit = (await menuItems(opened.app)).find(({ role }) => role === 'quit')
  expect(quit?.accelerator).toBe('CmdOrCtrl+Q')
  await clickMenu(opened.app, 'quit').catch(() => {})
  expect(await end).toBe(0)
})
