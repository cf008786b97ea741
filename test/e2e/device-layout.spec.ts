import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, publish } from './support/steps.ts'

const ID = `workstation-${'0123456789'.repeat(10)}-the-end`
const VERSION = `1.0.0-${'nightly.'.repeat(20)}7`
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publish(opened, '2.0.0')
  await check(opened.address, VERSION, ID)
  // The list stays as it is opened, and check-ins are stored a moment after their answer.
  await eventually(async () => {
    await opened.goTo('Overview')
    await opened.goTo('Devices')
    await opened.page.getByRole('main').getByRole('table').waitFor({ timeout: 2_000 })
    expect(await link().count()).toBe(1)
  })
})

const link = () => opened.page.getByRole('main').getByRole('link', { name: ID, exact: true })

/** How many pixels of the screen are beyond its right edge. */
const overflow = () =>
  opened.page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)

/** 1024 pixels, and 1280 at a zoom of 200%. */
test.each([1024, 640])(
  'at %d pixels, a long ID and version fit, and show both ends',
  async (width) => {
    const { page, goTo } = opened
    await page.setViewportSize({ width, height: 700 })
    await goTo('Devices')
    await link().waitFor()
    expect(await overflow()).toBe(0)
    for (const [text, end] of [
      [ID, '-the-end'],
      [VERSION, VERSION.slice(-8)],
    ] as const) {
      const shown = page.getByRole('main').getByTitle(text).locator('span').filter({ hasText: end })
      const box = await shown.last().boundingBox()
      expect(box?.width).toBeGreaterThan(20)
    }
    await goTo('Fleet')
    await page.getByRole('list', { name: 'Versions in the chart' }).waitFor()
    expect(await overflow()).toBe(0)
    await goTo('Devices')
    await link().click()
    await page.getByRole('region', { name: 'Update decision' }).getByRole('status').waitFor()
    expect(await overflow()).toBe(0)
    await goTo('Audit log')
    await page.getByRole('table', { name: 'Audit log' }).waitFor()
    expect(await overflow()).toBe(0)
  },
)

test('on a phone, the fields of the update decision have all of the width', async () => {
  const { page, goTo } = opened
  await page.setViewportSize({ width: 1024, height: 700 })
  await goTo('Devices')
  await link().click()
  const decision = page.getByRole('region', { name: 'Update decision' })
  await decision.getByRole('status').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  const shown = await decision.boundingBox()
  expect(shown?.width).toBeGreaterThan(320)
  for (const name of ['Channel', 'Updater', 'Bundle kind']) {
    const field = await decision.getByRole('combobox', { name, exact: true }).boundingBox()
    const end = (field?.x ?? 0) + (field?.width ?? 0)
    expect(end, name).toBeLessThan((shown?.x ?? 0) + (shown?.width ?? 0))
  }
})

test('a truncated version is copied in full', async () => {
  const { page, goTo } = opened
  await page.setViewportSize({ width: 1024, height: 700 })
  await goTo('Devices')
  const badge = page.getByRole('main').getByTitle(VERSION)
  const copied = await badge.evaluate((element) => {
    const selection = window.getSelection()
    selection?.selectAllChildren(element)
    const data = new DataTransfer()
    element.dispatchEvent(
      new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }),
    )
    return data.getData('text/plain')
  })
  expect(copied).toBe(VERSION)
})
