import type { Locator } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  const notes = Array.from({ length: 80 }, (_, line) => `- change ${line}`).join('\n')
  for (let minor = 0; minor < 24; minor++) {
    await publishByApi(opened, `1.${minor}.0`, { notes })
  }
  const change = { app: 'editor', channel: 'stable', version: '1.0.0', status: 'paused' }
  await callApi(opened, 'PATCH', 'releases', change)
})

const heading = (name: string) => opened.page.getByRole('heading', { level: 1, name })
const top = () => opened.page.evaluate(() => document.getElementById('content')?.scrollTop)
const hasFocus = (element: Locator) => element.evaluate((it) => it === document.activeElement)
/** Resolves once the page has been told: an event that comes with the next frame. */
async function scrollTo(wanted: number): Promise<void> {
  const scrolled = () =>
    opened.page.evaluate((top) => {
      const content = document.getElementById('content')
      content?.scrollTo({ top })
      return content?.scrollTop
    }, wanted)
  // A screen that has not loaded all of its content cannot be scrolled that far yet.
  await expect.poll(scrolled).toBe(wanted)
  await opened.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )
}
const back = () => opened.page.evaluate(() => history.back())

test('a screen opens at its top, and going back restores its scroll position', async () => {
  const { page, goTo } = opened
  await goTo('Releases')
  const link = page.getByRole('link', { name: '1.1.0 of editor/stable' })
  await link.scrollIntoViewIfNeeded()
  const left = await top()
  expect(left).toBeGreaterThan(100)
  await link.click()
  await heading('1.1.0').waitFor()
  await expect.poll(top).toBe(0)
  await expect.poll(() => hasFocus(heading('1.1.0'))).toBe(true)
  await scrollTo(300)
  await back()
  await heading('Releases').waitFor()
  await expect.poll(top).toBe(left)
  await expect.poll(() => hasFocus(heading('Releases'))).toBe(true)
  await page.evaluate(() => history.forward())
  await heading('1.1.0').waitFor()
  await expect.poll(top).toBe(300)
})

/** Opens the page of a release by its address. */
async function openRelease(version: string): Promise<void> {
  await opened.page.evaluate((place) => {
    location.hash = place
  }, `#/releases/editor/stable/${version}`)
  await heading(version).waitFor()
  await opened.page.getByText('change 79').waitFor()
}

test('opening another release scrolls to the top', async () => {
  await opened.goTo('Overview')
  await openRelease('1.1.0')
  await scrollTo(300)
  const places = opened.page.getByRole('navigation', { name: 'Screens' })
  await places.getByRole('link', { name: 'Releases' }).focus()
  await openRelease('1.2.0')
  await expect.poll(() => hasFocus(heading('1.2.0'))).toBe(true)
  await expect.poll(top).toBe(0)
})

test('a filter keeps the scroll position', async () => {
  const { page, goTo } = opened
  await goTo('Releases')
  await page.getByRole('link', { name: '1.23.0 of editor/stable' }).waitFor()
  await scrollTo(60)
  await expect.poll(top).toBe(60)
  await page.getByRole('combobox', { name: 'Status' }).selectOption('published')
  await page.getByRole('region', { name: '23 releases', exact: true }).waitFor()
  expect(await top()).toBe(60)
})
