import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { openInBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp } from './support/steps.ts'

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openInBrowser({ reducedMotion: true })
})
afterAll(() => opened?.close())

test('a first answer that is older than a change is asked for again', async () => {
  const { page, goTo } = opened
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await goTo('Overview')
  const heard: string[] = []
  page.once('websocket', (live) =>
    live.on('framereceived', ({ payload }) => heard.push(String(payload))),
  )
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const late = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isFirst = true
  await page.route('**/console/api/*releases.get*', async (route) => {
    if (!isFirst) return await route.fallback()
    isFirst = false
    const response = await route.fetch()
    answered.resolve()
    await late.promise
    await route.fulfill({ response })
  })
  // The change reaches the overview's list by the same event as the page of the release.
  await goToAddress(page, '#/releases/editor/stable/1.0.0')
  await answered.promise
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const { status } = await callApi(opened, 'PATCH', 'releases', { ...place, status: 'paused' })
  expect(status).toBe(200)
  await expect.poll(() => heard.join()).toContain('"catalog"')
  late.resolve()
  await page.getByRole('button', { name: /^Resume/ }).waitFor()
})

const SLOW = [
  { screen: 'Overview', address: '', shows: 'Editor, channel stable' },
  { screen: 'Fleet', address: '#/fleet', shows: 'Live check-ins' },
]

test.each(SLOW)(
  '$screen waits once for a slow server, not for one call after the other',
  async (it) => {
    const { page, address } = opened
    await checkAll(address, '1.0.0', 1)
    await page.goto('about:blank')
    const answers = Promise.withResolvers<void>()
    const asked: string[] = []
    await page.route(/\/console\/(?:api|account)\//, async (route) => {
      asked.push(new URL(route.request().url()).pathname)
      await answers.promise
      await route.continue()
    })
    await page.goto(`${address}/console/${it.address}`)
    await expect.poll(() => asked.join()).toContain('account/state')
    // It looks like the console meanwhile.
    await page.getByRole('heading', { level: 1, name: it.screen }).waitFor()
    await page.getByText('Loading').first().waitFor({ state: 'attached' })
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(0))))
    await page.unroute(/\/console\//)
    // What is asked only now is never answered.
    await page.route(/\/console\/(?:api|account)\//, () => {})
    answers.resolve()
    await page.getByRole('region', { name: it.shows, exact: true }).waitFor()
    await page.unrouteAll()
  },
)
