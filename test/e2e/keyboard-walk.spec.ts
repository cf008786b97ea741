import { beforeAll, expect, test } from 'vitest'
import type { Screen } from './support/console.ts'
import { tabTo } from './support/keyboard.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

/** In the order of the navigation, the one that is open at first left out. */
const SCREENS: readonly Screen[] = [
  'Fleet',
  'Releases',
  'Devices',
  'Apps and channels',
  'API keys',
  'People',
  'Webhooks',
  'Audit log',
  'Settings',
  'Overview',
]
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await opened.goTo('Overview')
})

const places = () => opened.page.getByRole('navigation', { name: 'Screens' })

/** Whether the element with the focus has an outline, as the keyboard gives it. */
const focusIsSeen = () =>
  opened.page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || !focused.matches(':focus-visible')) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(focused)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  })

test.each(SCREENS)('%s opens by Tab and Enter, with a visible focus', async (screen) => {
  const { page } = opened
  // The heading has the focus when a screen opens; the navigation stands before it.
  await tabTo(opened, places().getByRole('link', { name: screen }), 'Shift+Tab')
  expect(await focusIsSeen()).toBe(true)
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { level: 1, name: screen })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('the skip button skips the navigation', async () => {
  const { page } = opened
  await tabTo(opened, page.getByRole('button', { name: 'Skip to content' }), 'Shift+Tab')
  expect(await focusIsSeen()).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
})
