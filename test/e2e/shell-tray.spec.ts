import type { JSHandle } from 'playwright'
import { beforeAll, expect, test, vi } from 'vitest'
import { ended, isShown, killServer, type Shown, watchDesktop } from './support/desktop.ts'
import { openForAll } from './support/open-for-all.ts'

const opened = openForAll({ preferences: { closeToTray: true } })
let shown: JSHandle<Shown>

beforeAll(async () => {
  await opened.page.getByText('Server is running').waitFor()
  shown = await watchDesktop(opened.app)
  // The tray was there before anybody could watch: another state of the server shows it again.
  await killServer(opened.app)
  await vi.waitUntil(async () => (await tooltips()).length === 3, { timeout: 60_000 })
})

const tooltips = () => shown.evaluate((it) => it.tooltips)
const items = () =>
  shown.evaluate((it) =>
    (it.menu?.items ?? [])
      .filter(({ type, visible }) => type !== 'separator' && visible)
      .map(({ label, enabled }) => (enabled ? label : `(${label})`)),
  )
const click = (label: string) =>
  shown.evaluate(
    (it, wanted) => it.menu?.items.find((item) => item.label === wanted)?.click(),
    label,
  )
const hide = () =>
  opened.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide()
  })

test('the tooltip shows the state and the address of the server', async () => {
  expect(await tooltips()).toEqual([
    'Tidegate: Server stopped and is restarting',
    'Tidegate: Server is starting',
    `Tidegate: Server is running at ${opened.address}`,
  ])
})

test('the menu shows the same, with the possible actions', async () => {
  expect(await items()).toEqual([
    `(Server is running at ${opened.address})`,
    'Copy server address',
    'Open console',
    'Quit Tidegate',
  ])
})

test('the address of the server is copied', async () => {
  await opened.app.evaluate(({ clipboard }) => clipboard.writeText(''))
  await click('Copy server address')
  const copied = () => opened.app.evaluate(({ clipboard }) => clipboard.readText())
  await expect.poll(copied).toBe(opened.address)
})

test('the item and a click on the tray open the console', async () => {
  await hide()
  expect(await isShown(opened.app)).toBe(false)
  await click('Open console')
  await expect.poll(() => isShown(opened.app)).toBe(true)
  await hide()
  await shown.evaluate((it) => it.tray?.emit('click'))
  await expect.poll(() => isShown(opened.app)).toBe(true)
})

test('the app quits from the tray, although closing its window keeps it there', async () => {
  const end = ended(opened.app)
  await click('Quit Tidegate').catch(() => {})
  expect(await end).toBe(0)
})
