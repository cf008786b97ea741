import { beforeAll, expect, test } from 'vitest'
import { publishByApi, SHA512 } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp } from './support/steps.ts'
import { resize } from './support/window.ts'

const opened = openForAll()

const artifact = (platform: string, version: string) => ({
  ...{ platform, arch: 'x86_64', sha512: SHA512 },
  url: `https://downloads.example.com/${version}/editor-${platform}.bin`,
})
const sameLines = Array.from({ length: 20 }, (_, n) => `- Item ${n + 1}`).join('\n')

beforeAll(async () => {
  await createApp(opened)
  const { page, address } = opened
  await page.getByRole('button', { name: 'Create channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a channel' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('beta')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await publishByApi(opened, '1.0.0', {
    notes: `# News\n\nA slow start\n${sameLines}`,
    artifacts: [artifact('linux', '1.0.0'), artifact('windows', '1.0.0')],
  })
  for (const [device, target] of Object.entries({
    one: 'linux/x86_64',
    two: 'linux/x86_64',
    three: 'windows/x86_64',
  })) {
    await check(address, '1.0.0', device, { target })
  }
  await check(address, '0.9.0', 'four')
  await publishByApi(opened, '1.1.0', {
    notes: `# News\n\nA quick start\n${sameLines}\n- One more`,
    rolloutPct: 25,
    targets: { matchLabels: { ring: 'early' } },
    artifacts: [artifact('linux', '1.1.0'), artifact('darwin', '1.1.0')],
  })
  await publishByApi(opened, '1.2.0-beta.1', { channel: 'beta' })
})

/** Goes to an address of the console. */
async function open(hash: string): Promise<void> {
  await goToAddress(opened.page, hash)
}

async function openComparison(): Promise<void> {
  await open('#/releases/editor/stable/1.1.0/compare?with=stable%2F1.0.0')
  await opened.page.getByRole('heading', { level: 1, name: 'Compare 1.1.0' }).waitFor()
  await opened.page.getByText('Changes from 1.0.0 to 1.1.0').waitFor()
}

/** The texts of each row of a table's body. */
async function rowsOf(name: string): Promise<string[][]> {
  const table = opened.page.getByRole('table', { name, exact: true })
  const rows = await table.locator('tbody tr').all()
  return await Promise.all(
    rows.map(async (row) =>
      (await row.locator('td, th').allInnerTexts()).map((text) => text.trim()),
    ),
  )
}

test('a release is compared with the one that its channel served before', async () => {
  const { page, goTo } = opened
  await goTo('Releases')
  await page.getByRole('link', { name: '1.1.0 of editor/stable' }).click()
  await page.getByRole('link', { name: 'Compare releases' }).click()
  await page.getByText('Changes from 1.0.0 to 1.1.0').waitFor()
  expect(await page.evaluate(() => location.hash)).toBe(
    '#/releases/editor/stable/1.1.0/compare?with=stable%2F1.0.0',
  )
  // Offers are stored a moment after their answer.
  const facts = async () => (await rowsOf('Release')).slice(0, 4)
  await expect.poll(facts).toEqual([
    ['Unchanged', 'Channel', 'stable', 'stable'],
    ['Unchanged', 'Status', 'Published', 'Published'],
    ['Changed', 'Rollout', '100%', '25%'],
    ['Changed', 'Offered at least once', 'Yes', 'Not yet'],
  ])
  expect(await rowsOf('Targets')).toEqual([['Added', 'None', 'Devices whose label ring is early']])
  expect((await rowsOf('Artifacts')).map((row) => row.slice(0, 3))).toEqual([
    ['Added', 'darwin x86_64', 'URL'],
    ['SHA-512', 'None', expect.stringContaining('abab')],
    ['Changed', 'linux x86_64', 'URL'],
    ['Removed', 'windows x86_64', 'URL'],
    ['SHA-512', expect.stringContaining('abab'), 'None'],
  ])
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: /^1\.1\.0/ }).waitFor()
})

test('the notes are compared line by line, and unchanged lines are shown on demand', async () => {
  const { page } = opened
  await openComparison()
  const notes = page.getByRole('region', { name: 'Release notes' })
  await notes.getByText('2 lines added, 1 line removed').waitFor()
  expect((await notes.locator('del').allInnerTexts()).map((text) => text.trim())).toEqual([
    'A slow start',
  ])
  expect((await notes.locator('ins').allInnerTexts()).map((text) => text.trim())).toEqual([
    'A quick start',
    '- One more',
  ])
  expect(await notes.getByText('Added', { exact: true }).count()).toBe(2)
  expect(await notes.getByText('Item 10').count()).toBe(0)
  await notes.getByRole('button', { name: 'Show 14 unchanged lines' }).click()
  await notes.getByText('Item 10').waitFor()
})

test('the other release is found by typing, also on another channel, and keeps the focus', async () => {
  const { page } = opened
  await openComparison()
  const picker = page.getByRole('combobox', { name: 'Compare with' })
  await picker.fill('beta')
  await page.getByRole('option', { name: '1.2.0-beta.1 on beta' }).click()
  const changes = 'Changes from 1.2.0-beta.1 on beta to 1.1.0 on stable'
  await page.getByText(changes).waitFor()
  await expect.poll(() => picker.inputValue()).toBe('1.2.0-beta.1 on beta')
  expect(await picker.evaluate((it) => it === document.activeElement)).toBe(true)
  const address = await page.evaluate(() => location.hash)
  await open('#/releases')
  await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
  await open(address)
  await page.getByText(changes).waitFor()
  await page.getByRole('link', { name: 'Swap releases' }).click()
  await page.getByText('Changes from 1.1.0 on stable to 1.2.0-beta.1 on beta').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Compare 1.2.0-beta.1' }).waitFor()
  await expect.poll(() => picker.inputValue()).toBe('1.1.0 on stable')
})

test('the latest releases of two channels are compared from the overview', async () => {
  const { page, goTo } = opened
  await goTo('Overview')
  await page.getByRole('link', { name: 'Compare channels' }).click()
  await page
    .getByText(/^Changes from .* on beta to .* on stable$|on stable to .* on beta$/)
    .waitFor()
})

test('the palette compares the release that is open', async () => {
  const { page } = opened
  await open('#/releases/editor/stable/1.1.0')
  await page.getByRole('heading', { level: 1, name: /^1\.1\.0/ }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Compare 1.1.0 with another release' }).click()
  await page.getByText('Changes from 1.0.0 to 1.1.0').waitFor()
})

test('a release that is not there is said, and so is the first of a channel', async () => {
  const { page } = opened
  await open('#/releases/editor/stable/1.1.0/compare?with=stable%2F9.9.9')
  await page.getByText('editor/stable has no release 9.9.9.').waitFor()
  await page.getByRole('combobox', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: '1.0.0 on stable' }).click()
  await page.getByText('Changes from 1.0.0 to 1.1.0').waitFor()
  await open('#/releases/editor/stable/9.9.9/compare')
  await page.getByText('editor/stable has no release 9.9.9.').waitFor()
  await open('#/releases/editor/stable/1.0.0/compare')
  await page.getByRole('heading', { name: 'Choose a release to compare with' }).waitFor()
})

test('the comparison fits a small window without scrolling sideways', async () => {
  const { page } = opened
  await openComparison()
  await resize(opened, 1024, 700)
  await page.getByRole('table', { name: 'Artifacts' }).waitFor()
  const over = await page.evaluate(`[...document.querySelectorAll('main, main *')]
    .filter((it) => getComputedStyle(it).overflowX === 'auto' && it.scrollWidth > it.clientWidth)
    .map((it) => it.className)`)
  expect(over).toEqual([])
})

test('the comparison has no serious finding', async () => {
  await openComparison()
  await opened.page.getByRole('table', { name: 'Artifacts' }).waitFor()
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  await opened.page.getByRole('combobox', { name: 'Compare with' }).click()
  await opened.page.getByRole('option').first().waitFor()
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
})

test('devices on a release are counted by platform, and a count leads to them', async () => {
  const { page } = opened
  await open('#/releases/editor/stable/1.0.0')
  const list = page.getByRole('list', { name: 'Devices by platform' })
  await list.getByRole('link', { name: /^linux x86_64\s*: 2/ }).waitFor()
  await expect.poll(() => list.getByRole('link').count()).toBe(2)
  await list.getByRole('link', { name: /^windows x86_64\s*: 1/ }).click()
  await page.getByText('1 of 4 devices', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'three' }).waitFor()
  const filters = await page.evaluate(() => location.hash.split('?')[1])
  expect(Object.fromEntries(new URLSearchParams(filters))).toEqual({
    ...{ app: 'editor', channel: 'stable', version: '1.0.0' },
    ...{ platform: 'windows', arch: 'x86_64' },
  })
})
