import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { createApp, publish } from './support/steps.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const screens = {
  overview: '#/',
  releases: '#/releases',
  publish: '#/releases/publish',
  release: '#/releases/editor/stable/1.1.0',
  devices: '#/devices',
  device: '#/devices/editor/device-0',
  apps: '#/apps',
  app: '#/apps/editor',
  keys: '#/keys',
  audit: '#/audit',
}
let opened: ReleaseConsole
let empty: unknown

beforeAll(async () => {
  opened = await openConsole()
  empty = await findings('overview')
  await createApp(opened)
  await publish(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 5)
  await publish(opened, '1.1.0', 25)
})
afterAll(() => opened?.close())

/** What axe finds on the screen that is open, serious and worse. */
async function findings(name: string): Promise<unknown> {
  const { page } = opened
  await page.getByRole('heading', { level: 1 }).waitFor()
  const found = await page.evaluate(`${axe};
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`)
  return { [name]: found }
}

test('the empty overview has no serious finding', () => {
  expect(empty).toEqual({ overview: [] })
})

for (const theme of ['light', 'dark'] as const) {
  test(`no screen has a serious finding, ${theme}`, async () => {
    const { app, page } = opened
    await app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
    const dark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    expect(dark).toBe(theme === 'dark')
    for (const [name, path] of Object.entries(screens)) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, path)
      await page.waitForTimeout(400)
      expect.soft(await findings(name)).toEqual({ [name]: [] })
    }
  })
}
