import { afterAll, beforeAll, expect, test } from 'vitest'
import { callConsole } from './support/api.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { picker } from './support/picker.ts'
import { createApp, SHA512 } from './support/steps.ts'

const DEVICES = 120
let opened: ReleaseConsole
let faults: Faults

beforeAll(async () => {
  opened = await openConsole()
  await createApp(opened)
  for (const version of ['1.0.0', '1.1.0']) await publish(version)
  for (let n = 0; n < DEVICES; n++) {
    const number = String(n).padStart(3, '0')
    await ask(`device-${number}`, '1.0.0', n % 30 === 7 ? 'l.ring=early' : '')
  }
  await ask('went-back', '1.1.0')
  await call('changeServing', { version: '1.1.0', status: 'rolled_back' })
  faults = await interceptCalls(opened)
  await opened.goTo('Devices')
})
afterAll(() => opened?.close())

/** An update check as a device sends it. */
async function ask(device: string, version: string, labels = ''): Promise<void> {
  const path = `/u/editor/stable/linux/x86_64/${version}?${labels}`
  const answer = await fetch(opened.address + path, { headers: { 'x-service-device': device } })
  expect([200, 204]).toContain(answer.status)
}

/** Publishes, or changes how something is served, as the page would. */
async function call(what: 'publish' | 'changeServing', change: object): Promise<void> {
  const place = { app: 'editor', channel: 'stable' }
  const input = { ...place, ...change }
  const answer = await callConsole(opened.page, 'mutation', `releases.${what}`, input)
  expect(answer).toMatchObject({ ok: true })
}

function publish(version: string, members: object = {}): Promise<void> {
  const url = `https://downloads.example.com/${version}/editor.bin`
  const artifacts = [{ platform: 'linux', arch: 'x86_64', url, sha512: SHA512 }]
  return call('publish', { version, artifacts, ...members })
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
  await count('121 devices').waitFor()
  expect((await listed()).slice(0, 2)).toEqual(['went-back', 'device-119'])
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
  await opened.page.getByText('51–100 of 121').waitFor()
  await button('Next').click()
  await expect.poll(async () => (await listed()).at(-1)).toBe('went-back')
  expect(await button('Next').getAttribute('aria-disabled')).toBe('true')
  await button('Previous').click()
  await expect.poll(async () => (await listed())[0]).toBe('device-050')
  await button('First').click()
  await expect.poll(async () => (await listed())[0]).toBe('device-000')
})

test('the list stays the same until newer check-ins are requested', async () => {
  await button('Last seen').click()
  await expect.poll(async () => (await listed())[0]).toBe('went-back')
  await ask('device-003', '1.0.0')
  await opened.page.getByText('New check-ins available').waitFor()
  expect((await listed())[0]).toBe('went-back')
  await button('Refresh').click()
  await expect.poll(async () => (await listed())[0]).toBe('device-003')
  await opened.page.getByText('New check-ins available').waitFor({ state: 'hidden' })
})

test('it is filtered by a label, and an empty result suggests what to do', async () => {
  await search().fill('ring=early')
  await count('4 of 121 devices').waitFor()
  expect((await listed()).sort()).toEqual(['device-007', 'device-037', 'device-067', 'device-097'])
  await search().fill('ring=nobody')
  await opened.page.getByRole('heading', { name: 'No matching devices' }).waitFor()
  await button('Clear filters').click()
  await count('121 devices').waitFor()
  await opened.page.getByRole('combobox', { name: 'Version' }).selectOption('1.1.0')
  await count('1 of 121 devices').waitFor()
  expect(await listed()).toEqual(['went-back'])
})

test('a device is found and opened by keyboard', async () => {
  const { page, goTo } = opened
  await goTo('Apps and channels')
  await goTo('Devices')
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

const verdict = (text: string) =>
  opened.page.getByRole('region', { name: 'Update decision' }).getByText(text)
const tried = async () => {
  const rows = opened.page
    .getByRole('table', { name: 'Releases considered, in order' })
    .getByRole('row')
  return (await rows.allInnerTexts()).slice(1).map((row) => row.replace(/\s+/g, ' ').trim())
}

test('its page gives the reason why it is not offered a release', async () => {
  await verdict('No update: no version above 1.0.0 is published.').waitFor()
  await verdict('1.1.0 was rolled back, so it is no longer offered.').waitFor()
  await publish('1.2.0', { rolloutPct: 0 })
  await verdict('No update: this device is not in the rollout of 1.2.0.').waitFor()
  expect(await tried()).toEqual([
    expect.stringMatching(/^1\.2\.0 Not in rollout Not in the 0% rollout \(bucket 0\.\d{4}\)\.$/),
  ])
  await publish('1.3.0', { targets: { matchLabels: { ring: 'internal' } } })
  await verdict('No update: this device does not match the targets of 1.3.0.').waitFor()
  expect((await tried())[0]).toBe(
    '1.3.0 Not targeted Label ring is "early", not one of "internal".',
  )
  await publish('1.4.0', { artifacts: [] })
  await verdict('No update: 1.4.0 has no artifact for linux x86_64.').waitFor()
  expect((await tried())[0]).toBe('1.4.0 No artifact No artifact for linux x86_64.')
  expect(await tried()).toHaveLength(3)
})

test('the explanation always matches the current fields', async () => {
  const { page } = opened
  const region = page.getByRole('region', { name: 'Update decision' })
  const version = region.getByRole('textbox', { name: 'Version' })
  const own = 'No update: 1.4.0 has no artifact for linux x86_64.'
  await verdict(own).waitFor()
  await version.fill('one')
  await region.getByText('The version must be a semantic version such as').waitFor()
  expect(await verdict(own).count()).toBe(0)
  const explain = await faults.hold('devices.explain')
  await version.fill('1.1.0')
  await region.getByText('The version must be').waitFor({ state: 'hidden' })
  expect(await verdict(own).count()).toBe(0)
  await explain.asked()
  expect(await region.getByRole('table').count()).toBe(0)
  await explain.release()
  await verdict('Downgrade offered: 1.0.0').waitFor()
  await verdict('This is a simulation. The device is not changed.').waitFor()
  await version.press('1')
  expect(await verdict('Downgrade offered: 1.0.0').count()).toBe(0)
  await button('Reset').click()
  await verdict(own).waitFor()
})

test('a device on a rolled-back version is explained, with its check-ins', async () => {
  const { page, goTo } = opened
  await goTo('Devices')
  await search().fill('went')
  await table().getByRole('link', { name: 'went-back' }).click()
  await heading('went-back').waitFor()
  await verdict('Downgrade offered: 1.0.0').waitFor()
  await verdict('Rollback behavior of editor/stable: downgrade').waitFor()
  const checkIns = page.getByRole('table', { name: 'Check-ins' }).getByRole('row')
  expect(await checkIns.nth(1).innerText()).toMatch(/Update check\s+Up to date\s+1\.1\.0\s+stable/)
  await ask('went-back', '1.0.0')
  const history = page.getByRole('list', { name: 'Version history, latest first' })
  await expect.poll(() => history.getByRole('listitem').count()).toBe(2)
  await page.getByText('Check-ins are kept for 90 days.').waitFor()
})

test('a device is forgotten after a confirmation that names the deleted data', async () => {
  const { page } = opened
  await button('Forget device').click()
  const dialog = page.getByRole('dialog', { name: 'Forget device' })
  await dialog.getByText('version history of went-back').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await button('Forget device').click()
  await dialog.getByRole('button', { name: 'Forget device' }).click()
  await heading('Devices').waitFor()
  await count('120 devices').waitFor()
  await search().fill('went')
  await page.getByRole('heading', { name: 'No matching devices' }).waitFor()
  await ask('went-back', '1.0.0')
  await search().fill('')
  await opened.goTo('Audit log')
  await page.getByText('Forgot device.').waitFor()
})

test('a device is found by its ID in uppercase or lowercase', async () => {
  await opened.goTo('Devices')
  await search().fill('DEVICE-00')
  await count('10 of 121 devices').waitFor()
  expect(await listed()).toContain('device-007')
})

/** Opens an address of the console as a link in a message does. */
const follow = (hash: string) =>
  opened.page.evaluate((to) => window.location.assign(to), `#${hash}`)

test('a link to a nonexistent page shows the first page', async () => {
  for (const cursor of ['nonsense', '99999999.0']) {
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
  expect(await picker(opened.page, 'App').inputValue()).toBe('gone')
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
