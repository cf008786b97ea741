import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { publishByApi } from './support/api.ts'
import { check } from './support/device.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { picker } from './support/picker.ts'
import { createApp } from './support/steps.ts'

const DEVICES = 120
const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  await createApp(opened)
  for (const version of ['1.0.0', '1.1.0']) await publishByApi(opened, version)
  for (let n = 0; n < DEVICES; n++) {
    const number = String(n).padStart(3, '0')
    await ask(`device-${number}`, '1.0.0', n % 30 === 7 ? { ring: 'early' } : {})
  }
  await ask('updated', '1.1.0')
  faults = await interceptCalls(opened)
  // The list stays as it is opened, and check-ins are stored a moment after their answer.
  await eventually(async () => {
    await opened.goTo('Overview')
    await opened.goTo('Devices')
    await count('121 devices').waitFor()
    const versions = opened.page.getByRole('combobox', { name: 'Version' }).locator('option')
    expect(await versions.allTextContents()).toContain('1.1.0')
  })
})
beforeEach(async () => {
  await opened.goTo('Overview')
  await opened.goTo('Devices')
  await count('121 devices').waitFor()
})

/** An update check as a device sends it. */
async function ask(device: string, version: string, labels = {}): Promise<void> {
  await check(opened.address, version, device, { labels })
}

const table = () => opened.page.getByRole('table', { name: 'Devices of editor' })
const heading = (name: string) => opened.page.getByRole('heading', { level: 1, name })
const search = () => opened.page.getByRole('searchbox', { name: 'Search' })
const count = (text: string) =>
  opened.page.getByRole('status').filter({ hasText: new RegExp(`^${text}$`) })
const button = (name: string) => opened.page.getByRole('button', { name, exact: true })

/** The ids in the list, from the top. */
async function listed(): Promise<string[]> {
  await opened.page.locator('[data-waiting=false]').waitFor()
  return await table().getByRole('link').allInnerTexts()
}

test('the list begins with the most recently seen device', async () => {
  await ask('device-050', '1.0.0')
  await ask('device-051', '1.0.0')
  await opened.page.getByText('New check-ins available').waitFor()
  await button('Refresh').click()
  await expect.poll(async () => (await listed()).slice(0, 2)).toEqual(['device-051', 'device-050'])
  const sorted = table().getByRole('columnheader', { name: 'Last seen' })
  expect(await sorted.getAttribute('aria-sort')).toBe('descending')
})

test('it is sorted by its headings, and paged forward and back', async () => {
  await button('Device').click()
  const heading = table().getByRole('columnheader', { name: 'Device' })
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(async () => (await listed())[0]).toBe('device-000')
  await button('Next').click()
  await expect.poll(async () => (await listed())[0]).toBe('device-050')
  // PostgreSQL does not count the devices before a later page.
  await opened.page.getByText('51–100 of 121').waitFor()
  await button('Next').click()
  await expect.poll(async () => (await listed()).at(-1)).toBe('updated')
  expect(await button('Next').getAttribute('aria-disabled')).toBe('true')
  await button('Previous').click()
  await expect.poll(async () => (await listed())[0]).toBe('device-050')
  await button('First').click()
  await expect.poll(async () => (await listed())[0]).toBe('device-000')
})

test('the list stays the same until newer check-ins are requested', async () => {
  const [first, ...rest] = await listed()
  // The one on 1.1.0 stays there for the others.
  const other = rest.find((id) => id !== 'updated') ?? ''
  await ask(other, '1.0.0')
  await opened.page.getByText('New check-ins available').waitFor()
  expect((await listed())[0]).toBe(first)
  await button('Refresh').click()
  await expect.poll(async () => (await listed())[0]).toBe(other)
  await opened.page.getByText('New check-ins available').waitFor({ state: 'hidden' })
})

test('it is filtered by a label, and an empty result suggests what to do', async () => {
  await search().fill('ring=early')
  await count('4 of 121 devices').waitFor()
  expect((await listed()).sort()).toEqual(['device-007', 'device-037', 'device-067', 'device-097'])
  await search().fill('ring=nobody')
  await opened.page.getByRole('heading', { name: 'No results' }).waitFor()
  await button('Clear filters').click()
  await count('121 devices').waitFor()
  await opened.page.getByRole('combobox', { name: 'Version' }).selectOption('1.1.0')
  await count('1 of 121 devices').waitFor()
  expect(await listed()).toEqual(['updated'])
})

test('a device is found and opened by keyboard', async () => {
  const { page } = opened
  await listed()
  const tabTo = async (isThere: () => Promise<boolean>) => {
    for (let times = 0; times < 40; times++) {
      await page.keyboard.press('Tab')
      if (await isThere()) return
    }
    throw new Error('the keyboard does not get there')
  }
  const focused = (text: string) =>
    page.evaluate((what) => document.activeElement?.textContent === what, text)
  await tabTo(() => search().evaluate((field) => field === document.activeElement))
  await page.keyboard.type('device-007')
  await count('1 of 121 devices').waitFor()
  await tabTo(() => focused('device-007'))
  await page.keyboard.press('Enter')
  await heading('device-007').waitFor()
  await page.getByRole('link', { name: /^ring\s*early$/ }).waitFor()
})

test('a device is found by its ID in uppercase or lowercase', async () => {
  await search().fill('DEVICE-00')
  await count('10 of 121 devices').waitFor()
  expect(await listed()).toContain('device-007')
})

/** Opens an address of the console as a link in a message does. */
const follow = (hash: string) =>
  opened.page.evaluate((to) => window.location.assign(to), `#${hash}`)

test('a link to a nonexistent page shows the first page', async () => {
  for (const cursor of ['nonsense', '99999999.0']) {
    // From another screen: the list that is shown now would be taken for the answer.
    await opened.goTo('Overview')
    await follow(`/devices?app=editor&cursor=${cursor}`)
    const gone = opened.page.getByRole('heading', { name: 'Page not found' })
    await gone.or(opened.page.getByText('1–50 of')).waitFor()
    if (await gone.isVisible()) await button('Show first page').click()
    await opened.page.getByText('1–50 of').waitFor()
  }
})

test('a link to an unknown app, channel or device is reported, not replaced by another', async () => {
  const heading = (name: string) => opened.page.getByRole('heading', { level: 2, name })
  await follow('/devices?app=gone')
  await heading('App not found').waitFor()
  await expect.poll(() => picker(opened.page, 'App').inputValue()).toBe('gone')
  await follow('/devices?app=editor&channel=gone')
  await heading('Channel not found').waitFor()
  await button('Show all channels').click()
  await count('121 devices').waitFor()
  await follow('/devices/editor/gone')
  await heading('Device not found').waitFor()
  await follow('/devices/gone/device-007')
  await heading('App not found').waitFor()
})

test('a slow list reports the delay and retries', async () => {
  const list = await faults.hold('devices.list')
  await opened.goTo('Audit log')
  await follow('/devices?app=editor&search=device-02')
  await list.asked()
  const late = opened.page.getByText('The server is taking longer than usual to respond.')
  await late.waitFor({ timeout: 60_000 })
  const before = await list.count()
  await button('Try again').click()
  await list.asked(before + 1)
  await list.release()
  await count('10 of 121 devices').waitFor()
})
