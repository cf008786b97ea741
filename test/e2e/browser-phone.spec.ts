import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, publish } from './support/steps.ts'

const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
]
const SCREENS = [
  ...['/', '/fleet', '/releases', '/releases/publish', '/releases/editor/stable/1.1.0'],
  ...['/releases/editor/stable/1.1.0/compare', '/calendar', '/approvals', '/devices'],
  ...['/devices/editor/device-0', '/apps', '/apps/editor', '/keys', '/people', '/webhooks'],
  ...['/audit', '/settings', '/account'],
]
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publish(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 5)
  await publish(opened, '1.1.0', 25)
  await opened.page.setViewportSize(PHONES[0] as (typeof PHONES)[0])
})

/** Whether the page is wider than the screen, and what a finger hardly hits. */
async function unfit(page: Page): Promise<unknown> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const targets = document.querySelectorAll(
      'main :is(button, input[type=text], a.mantine-Button-root), nav :is(a, button), [role=dialog] :is(a, button)',
    )
    const small = [...targets]
      // In the heading of a column, and what moves with a finger held down.
      .filter((it) => it.closest('th, [role=slider]') === null)
      .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 44)
    const main = document.querySelector('main')
    return {
      isWide: scrollWidth > clientWidth || (main !== null && main.scrollWidth > main.clientWidth),
      small: small.map((it) => it.outerHTML.slice(0, 160)),
    }
  })
}

test.each(PHONES)('every screen fits $width pixels', async (size) => {
  const { page } = opened
  await page.setViewportSize(size)
  for (const screen of SCREENS) {
    await page.evaluate((hash) => {
      location.hash = hash
    }, `#${screen}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
    expect.soft({ screen, ...Object(await unfit(page)) }).toEqual({
      ...{ screen, isWide: false, small: [] },
    })
  }
})

test('the menu has every other screen, and closes once one is chosen', async () => {
  const { page } = opened
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByText('Server is running').waitFor()
  expect(await findings(opened)).toEqual([])
  expect(await unfit(page)).toEqual({ isWide: false, small: [] })
  await menu.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await menu.waitFor({ state: 'hidden' })
  // Also with the screen that is open.
  await screens.getByRole('button', { name: 'Menu' }).click()
  await menu.getByRole('link', { name: 'Audit log' }).click()
  await menu.waitFor({ state: 'hidden' })
  await screens.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a release is stopped with a thumb', async () => {
  const { page } = opened
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('link', { name: 'Releases' }).click()
  await page
    .getByRole('link', { name: /1\.1\.0/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Stop 1.1.0' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1.1.0 is paused').waitFor()
  expect(await unfit(page)).toEqual({ isWide: false, small: [] })
  const sheet = await dialog.boundingBox()
  const { width, height } = page.viewportSize() as { width: number; height: number }
  expect(sheet).toMatchObject({ x: 0, width })
  expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(height)
  await dialog.getByRole('button', { name: 'Undo stop' }).click()
  await page.getByRole('button', { name: 'Stop 1.1.0' }).waitFor()
})
