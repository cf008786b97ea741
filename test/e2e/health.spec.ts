import { beforeAll, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { openRelease } from './support/channel.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await publishByApi(opened, '1.1.0')
  const { address } = opened
  for (const device of ['one', 'two', 'three']) await check(address, '1.0.0', device)
  await check(address, '1.1.0', 'one')
  await fetch(`${address}/u/editor/stable/outcome`, {
    method: 'POST',
    headers: { 'x-service-device': 'two', 'content-type': 'application/json' },
    body: JSON.stringify({ version: '1.1.0', outcome: 'failed', detail: 'No space left' }),
  })
})

const panel = () => opened.page.getByRole('region', { name: 'Health', exact: true })

test('the counts of a release lead to the devices', async () => {
  const { page } = opened
  await openRelease(opened, 'stable', '1.1.0')
  const bar = panel().getByRole('img', { name: '33% adopted, 33% waiting, 33% failed' })
  await bar.waitFor()
  await panel()
    .getByText(/^Median /)
    .waitFor()
  const failed = panel()
    .locator('div')
    .filter({ has: page.getByText('Reported failure') })
  await failed.getByRole('link', { name: '1 device' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  const list = page.getByRole('table', { name: 'Devices of editor' })
  await list.getByRole('link', { name: 'two' }).waitFor()
  expect(await list.getByRole('link').allInnerTexts()).toEqual(['two'])

  const filter = page.getByRole('combobox', { name: 'Update to 1.1.0' })
  await filter.selectOption('Adopted')
  await list.getByRole('link', { name: 'one' }).waitFor()
  await filter.selectOption('All offered')
  await page.getByRole('status').filter({ hasText: '3 of 3 devices' }).waitFor()
  await filter.selectOption('Any release')
  await page
    .getByRole('status')
    .filter({ hasText: /^3 devices$/ })
    .waitFor()
})

test('one timeline has the rollout, adoption, failures and changes of a release, beside the one before', async () => {
  const { page } = opened
  await openRelease(opened, 'stable', '1.1.0')
  const timeline = page.getByRole('region', { name: 'Timeline', exact: true })
  const legend = timeline.locator('.recharts-legend-wrapper')
  for (const line of ['1.1.0', '1.0.0, the release before', 'Failed devices', 'Rollout in %']) {
    await legend.getByText(line, { exact: true }).waitFor()
  }
  // What was done has a number, on the axis and in the list below.
  await timeline.locator('.recharts-reference-line').first().waitFor({ state: 'attached' })
  await timeline
    .getByRole('listitem')
    .filter({ hasText: /^1\s*Published at 100%/ })
    .waitFor()
  await timeline.getByRole('button', { name: 'Show as table' }).click()
  const today = timeline.getByRole('row').nth(1)
  const [, ...numbers] = await today
    .getByRole('cell')
    .or(today.getByRole('rowheader'))
    .allInnerTexts()
  expect(numbers).toEqual(['100', '1', '1', '2', '3'])
})

test('devices that moved on to another release are counted, and a number that is a link is that of its list', async () => {
  const { page, address } = opened
  await publishByApi(opened, '1.2.0')
  for (const device of ['four', 'five']) await check(address, '1.1.0', device)
  // Adopted 1.1.0 before.
  await check(address, '1.1.0', 'one')
  await openRelease(opened, 'stable', '1.1.0')
  const counts = panel().locator('dl > div')
  const adopted = counts.filter({ has: page.getByText('Adopted', { exact: true }) })
  await adopted
    .getByText(
      '0 devices are listed. 1 other adopted it, and has been offered another release since.',
    )
    .waitFor()
  expect(await adopted.locator('dd').innerText()).toBe('1')
  expect(await adopted.getByRole('link').count()).toBe(0)
  const offered = counts.filter({ has: page.getByText('Offered', { exact: true }) })
  expect(await offered.locator('dd').innerText()).toBe('3')
  await offered.getByRole('link', { name: '2 devices' }).click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await page.getByRole('status').filter({ hasText: '2 of 5 devices' }).waitFor()
})

test('the page of a device says what it was offered and what became of it', async () => {
  const { page } = opened
  const timeline = page.getByRole('list', { name: 'Offers and outcomes, latest first' })
  const show = async (device: string, shown: RegExp) => {
    await goToAddress(page, `#/devices/editor/${device}`)
    await page.getByRole('heading', { level: 1, name: device }).waitFor()
    await expect.poll(() => timeline.innerText()).toMatch(shown)
  }
  await show('two', /App reported that the update failed:.*1\.1\.0\s+No space left/s)
  await opened.goTo('Overview')
  await show('one', /Adopted.*1\.1\.0/s)
})
