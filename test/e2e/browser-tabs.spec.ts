import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintKey } from './support/api.ts'
import { openInBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'
import { goToScreen } from './support/release-console.ts'

/** More than the connections that a browser opens to one host over HTTP/1.1, which are six. */
const TABS = 7

let opened: ReleaseConsole
let tabs: Page[] = []

beforeAll(async () => {
  opened = await openInBrowser({ reducedMotion: true })
})
afterAll(() => opened?.close())

test('seven tabs of one browser show what is changed in one of them', async () => {
  const { page } = opened
  const context = page.context()
  const more = await Promise.all(Array.from({ length: TABS - 1 }, () => context.newPage()))
  tabs = [page, ...more]
  for (const tab of more) {
    const answer = await tab.goto(page.url())
    expect(await answer?.httpVersion()).toBe('HTTP/1.1')
  }
  for (const tab of tabs) {
    await goToScreen(tab, 'API keys')
    await tab.getByText('No API keys').first().waitFor()
  }
  await mintKey(opened)
  for (const tab of tabs) await tab.getByRole('cell', { name: /^pipeline/ }).waitFor()
})

test('each of seven tabs answers a click', async () => {
  for (const tab of tabs) {
    await goToScreen(tab, 'Audit log')
    await tab.getByText('Created key pipeline').first().waitFor()
  }
})
