import { beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { pick, picker } from './support/picker.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp } from './support/steps.ts'
import { resize } from './support/window.ts'

const COUNT = 27
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened, { name: 'Viewer', ref: 'viewer' })
  await createApp(opened)
  const { page } = opened
  await page.getByRole('button', { name: 'Create channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a channel' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('beta')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  for (let n = 0; n < COUNT; n++) await publishByApi(opened, `1.${n}.0`)
  await publishByApi(opened, '2.0.0-beta.1', { channel: 'beta', notes: 'A calmer toolbar' })
  await publishByApi(opened, '7.0.0', { app: 'viewer' })
  const change = { app: 'editor', channel: 'stable', version: '1.3.0', status: 'rolled_back' }
  await callApi(opened, 'PATCH', 'releases', change)
})
beforeEach(async () => {
  await opened.goTo('Overview')
  await opened.goTo('Releases')
})

/** The versions that the table shows while it says this many; none while it says another number. */
async function shown(total: string): Promise<string[]> {
  const panel = opened.page.getByRole('region', { name: total, exact: true })
  const links = await panel.getByRole('link').allInnerTexts()
  return links.map((text) => text.split('\n')[0]?.trim() ?? '')
}

test('the latest releases come first, and pages show the rest', async () => {
  const { page } = opened
  await expect.poll(() => shown(`${COUNT + 2} releases`)).toHaveLength(25)
  const first = await shown(`${COUNT + 2} releases`)
  expect(first.slice(0, 3)).toEqual(['7.0.0', '2.0.0-beta.1', '1.26.0'])
  const pages = page.getByRole('navigation', { name: 'Pages of the list' })
  await pages.getByRole('button', { name: 'Page 2', exact: true }).click()
  await page.getByRole('link', { name: '1.0.0 of editor/stable', exact: true }).waitFor()
  await expect
    .poll(() => shown(`${COUNT + 2} releases`))
    .toEqual(['1.3.0', '1.2.0', '1.1.0', '1.0.0'])
  await page.getByRole('link', { name: '1.0.0 of editor/stable', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '1.0.0 of editor/stable', exact: true }).waitFor()
})

test('filters narrow the list, alone and together', async () => {
  const { page } = opened
  await page.getByLabel('Status', { exact: true }).selectOption('Rolled back')
  await expect.poll(() => shown('1 release')).toEqual(['1.3.0'])
  await page.getByLabel('Status', { exact: true }).selectOption('Any status')
  await pick(page, 'App', 'Viewer (viewer)')
  await expect.poll(() => shown('1 release')).toEqual(['7.0.0'])
  await picker(page, 'Channel').click()
  const channels = page.getByRole('listbox', { name: 'Channel' }).getByRole('option')
  await expect.poll(() => channels.allInnerTexts()).toEqual(['All channels', 'stable'])
  await pick(page, 'App', 'Editor (editor)')
  await pick(page, 'Channel', 'beta')
  await expect.poll(() => shown('1 release')).toEqual(['2.0.0-beta.1'])
  await pick(page, 'Channel', 'All channels')
  await page.getByRole('searchbox', { name: 'Search' }).fill('toolbar')
  await expect.poll(() => shown('1 release')).toEqual(['2.0.0-beta.1'])
})

test('filters without results can be cleared', async () => {
  const { page } = opened
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => shown(`${COUNT + 2} releases`)).toHaveLength(25)
})

test('the table fits the window without horizontal scrolling', async () => {
  const { page } = opened
  for (const [width, height] of [
    [1280, 800],
    [1024, 700],
  ] as const) {
    await resize(opened, width, height)
    const over = await page.evaluate(`[...document.querySelectorAll('main, main *')]
      .filter((it) => getComputedStyle(it).overflowX === 'auto' && it.scrollWidth > it.clientWidth)
      .map((it) => it.className)`)
    expect(over, `${width}`).toEqual([])
  }
})

test('a nonexistent page links to the first page', async () => {
  const { page } = opened
  await goToAddress(page, '#/releases?page=99')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('button', { name: 'Show first page' }).click()
  await page
    .getByRole('link', { name: /of editor\/stable/ })
    .first()
    .waitFor()
})
