import type { Locator } from 'playwright'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { loadAnew } from './support/console.ts'
import { check, checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { pick, picker } from './support/picker.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  for (const name of ['Player', 'Editor']) {
    const app = name.toLowerCase()
    await createApp(opened, { name, ref: app })
    for (const version of ['1.0.0', '1.1.0']) await publishByApi(opened, version, { app })
  }
  await checkAll(opened.address, '1.0.0', 7)
  await checkAll(opened.address, '1.1.0', 3)
  await check(opened.address, '1.0.0')
  await check(opened.address, '1.0.0', undefined, { app: 'player' })
})
beforeEach(() => open('editor'))

const main = () => opened.page.getByRole('main')

/** Opens the screen anew for an app. */
async function open(app: string): Promise<void> {
  await opened.goTo('Overview')
  await opened.page.evaluate((address) => window.location.assign(address), `#/fleet?app=${app}`)
  await live().waitFor()
  // What the pointer is on does not move.
  await opened.page.mouse.move(0, 0)
}

const live = () => main().getByRole('region', { name: 'Live check-ins', exact: true })
const rows = () => live().getByRole('listitem')

/** The columns of a chart's table, each summed up. */
async function sums(title: string): Promise<Record<string, number>> {
  const table: Locator = main().getByRole('region', { name: title, exact: true }).getByRole('table')
  const heads = await table.getByRole('columnheader').allInnerTexts()
  const lines = await table.locator('tbody tr').all()
  const totals: Record<string, number> = Object.fromEntries(heads.slice(1).map((name) => [name, 0]))
  for (const line of lines) {
    const cells = await line.locator('td').allTextContents()
    for (const [index, cell] of cells.entries()) {
      const name = heads[index + 1] ?? ''
      totals[name] = (totals[name] ?? 0) + Number(cell.replace(/\D/g, ''))
    }
  }
  return totals
}

async function choose(range: string): Promise<void> {
  await main()
    .getByRole('radiogroup', { name: 'Time range' })
    .getByText(range, { exact: true })
    .click()
}

test('the tables list the check-ins by version', async () => {
  await choose('30 days')
  // Ten checks with a device of seven devices, three of which updated, and an anonymous one.
  await expect.poll(() => sums('Versions')).toEqual({ 'All devices': 7, '1.1.0': 3, '1.0.0': 4 })
  await expect
    .poll(() => sums('Check-ins'))
    .toEqual({ 'Check-ins': 11, 'Update offered': 8, Anonymous: 1 })
  await expect.poll(() => sums('Platforms')).toEqual({ Devices: 7 })
})

test('a table is opened by keyboard', async () => {
  await choose('30 days')
  const button = main().getByRole('button', { name: 'Show as table: check-ins' })
  await button.focus()
  await opened.page.keyboard.press('Enter')
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await main()
    .getByRole('region', { name: /^Check-ins per UTC day/ })
    .waitFor()
  await opened.page.keyboard.press('Enter')
})

test('app, channel and range stay in the address', async () => {
  await choose('24 hours')
  await pick(opened.page, 'Channel', 'stable')
  await expect
    .poll(() => opened.page.url())
    .toContain('#/fleet?app=editor&channel=stable&range=24h')
  await loadAnew(opened)
  await expect.poll(() => picker(main(), 'Channel').inputValue()).toBe('stable')
})

test('a check appears live, but not while the feed is paused', async () => {
  await open('player')
  await live().getByText('Waiting for the next check-in').waitFor()
  await check(opened.address, '1.0.0', 'a-live-one', { app: 'player' })
  await live().getByRole('link', { name: 'a-live-one' }).waitFor()
  expect(await rows().first().innerText()).toContain('Update offered')
  await live().getByRole('button', { name: 'Pause' }).click()
  await picker(main(), 'Channel').focus()
  await opened.page.mouse.move(0, 0)
  await checkAll(opened.address, '1.1.0', 3, { app: 'player' })
  await live().getByText('Paused, 3 new check-ins').waitFor()
  expect(await rows().count()).toBe(1)
  await live().getByRole('button', { name: 'Resume' }).click()
  await opened.page.mouse.move(0, 0)
  await expect.poll(() => rows().count()).toBe(4)
})

test('the feed pauses while it has the focus, and when P is pressed', async () => {
  await open('player')
  await live().getByText('Waiting for the next check-in').waitFor()
  await check(opened.address, '1.1.0', 'one', { app: 'player' })
  await expect.poll(() => rows().count()).toBe(1)
  const list = live().getByRole('region', { name: /^Live check-ins, latest first/ })
  await list.focus()
  await check(opened.address, '1.1.0', 'another', { app: 'player' })
  await live().getByText('Paused while selected, 1 new check-in').waitFor()
  expect(await rows().count()).toBe(1)
  await opened.page.keyboard.press('p')
  await live().getByRole('button', { name: 'Resume' }).waitFor()
  await opened.page.keyboard.press('p')
  await picker(main(), 'Channel').focus()
  await expect.poll(() => rows().count()).toBe(2)
})

const devicesList = () => main().getByRole('table', { name: 'Devices of editor' })

test('hovering a chart shows the number and share of every band, and a click opens its devices', async () => {
  await choose('30 days')
  const chart = main().getByRole('region', { name: 'Versions', exact: true }).locator('svg').first()
  const box = await chart.boundingBox()
  if (box === null) throw new Error('the chart is not shown')
  // Of 30 days only the last has devices, at the right edge of the chart.
  const x = box.x + box.width - 21
  await opened.page.mouse.move(x, box.y + box.height / 2)
  const band = (version: string) =>
    chart.locator('xpath=..').getByRole('row', { name: version, includeHidden: true })
  await expect.poll(() => band('1.0.0').innerText()).toMatch(/1\.0\.0\s+\d+ \(\d+%\)/)
  await expect.poll(() => band('1.1.0').innerText()).toMatch(/1\.1\.0\s+\d+ \(\d+%\)/)
  await expect.poll(() => band('Total').innerText()).toMatch(/Total\s+7/)
  // A chart that is drawn anew at this moment takes no click.
  await expect
    .poll(async () => {
      await opened.page.mouse.click(x - 4, box.y + box.height - 36)
      return await devicesList().isVisible()
    })
    .toBe(true)
  await expect.poll(() => opened.page.url()).toMatch(/app=editor&seen=30d&version=1\.[01]\.0$/)
})

test('a version in the legend and a platform link to the same number of devices', async () => {
  await choose('7 days')
  const versions = main().getByRole('list', { name: 'Versions in the chart' })
  await versions.getByRole('link', { name: 'Devices on 1.1.0' }).click()
  await expect.poll(() => opened.page.url()).toContain('seen=7d&version=1.1.0')
  await devicesList().waitFor()
  await open('editor')
  const platform = main().getByRole('list', { name: 'Platforms' }).getByRole('link').first()
  const devices = /: (\d+) \(100%\)/.exec((await platform.innerText()).replace(/\s+/g, ' '))?.[1]
  await platform.click()
  const total = main()
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${devices} of`) })
  await total.waitFor()
})

test('a link to an unknown app or channel is reported, not replaced by another', async () => {
  await opened.page.evaluate(() => window.location.assign('#/fleet?app=gone'))
  await main().getByRole('heading', { name: 'App not found' }).waitFor()
  await expect.poll(() => picker(main(), 'App').inputValue()).toBe('gone')
  await opened.page.evaluate(() => window.location.assign('#/fleet?app=editor&channel=gone'))
  await main().getByRole('heading', { name: 'Channel not found' }).waitFor()
  await main().getByRole('button', { name: 'Show all channels' }).click()
  await main().getByRole('region', { name: 'Versions', exact: true }).waitFor()
})

test('axe finds nothing serious', async () => {
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
})
