import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings, useTheme } from './support/axe.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { createApp, publish } from './support/steps.ts'

/** Where each screen is. */
const screens = {
  overview: '#/',
  fleet: '#/fleet',
  releases: '#/releases',
  publish: '#/releases/publish',
  release: '#/releases/editor/stable/1.1.0',
  devices: '#/devices',
  device: '#/devices/editor/device-0',
  apps: '#/apps',
  app: '#/apps/editor',
  keys: '#/keys',
  audit: '#/audit',
  settings: '#/settings',
}
let opened: ReleaseConsole
let empty: unknown

beforeAll(async () => {
  opened = await openConsole({ reducedMotion: true })
  empty = await looked('overview')
  await createApp(opened)
  await publish(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 5)
  await publish(opened, '1.1.0', 25)
})
afterAll(() => opened?.close())

/** What axe finds on the screen that is open, once it is there. */
async function looked(name: string): Promise<unknown> {
  const { page } = opened
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { [name]: await findings(opened) }
}

test('the empty overview has no serious finding', () => {
  expect(empty).toEqual({ overview: [] })
})

for (const theme of ['light', 'dark'] as const) {
  test(`no screen has a serious finding, ${theme}`, async () => {
    const { page } = opened
    await useTheme(opened, theme)
    for (const [name, path] of Object.entries(screens)) {
      const before = await page.title()
      await page.evaluate((hash) => {
        location.hash = hash
      }, path)
      // Every screen names the window.
      await page.waitForFunction((title) => document.title !== title, before)
      expect.soft(await looked(name)).toEqual({ [name]: [] })
    }
  })
}
