import { beforeAll, expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { checkAll } from './support/device.ts'
import { unfit } from './support/looks.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, publish } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publish(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 5)
  await publish(opened, '1.1.0', 25)
  await opened.page.setViewportSize({ width: 390, height: 844 })
})

test('the menu has every other screen, and closes once one is chosen', async () => {
  const { page } = opened
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByText('Server is running').waitFor()
  expect(await findings(opened)).toEqual([])
  expect(await unfit(page)).toEqual([])
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
  // Without scrolling.
  const stop = page.getByRole('button', { name: 'Stop 1.1.0' })
  const bar = (await screens.boundingBox())?.y ?? 0
  await expect.poll(async () => (await stop.boundingBox())?.y).toBeLessThan(bar - 44)
  await stop.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1.1.0 is paused').waitFor()
  expect(await unfit(page)).toEqual([])
  const sheet = await dialog.boundingBox()
  const { width, height } = page.viewportSize() as { width: number; height: number }
  expect(sheet).toMatchObject({ x: 0, width })
  expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(height)
  await dialog.getByRole('button', { name: 'Undo stop' }).click()
  await page.getByRole('button', { name: 'Stop 1.1.0' }).waitFor()
})
