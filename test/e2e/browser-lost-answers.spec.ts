import type { Route, WebSocketRoute } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { copyCode, openInBrowser, PERSON, sharedBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'
import { openAddress, openDialog, screenButton } from './support/dialog.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp, fillRelease } from './support/steps.ts'

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openInBrowser({ reducedMotion: true })
  await createApp(opened)
})
beforeEach(() => opened.goTo('Overview'))
afterAll(() => opened?.close())

const dialog = () => openDialog(opened)
const button = (name: string) => screenButton(opened, name)

/** Loses the answers of a procedure, or its requests, while `isLosing`. Returns the names of its calls. */
async function lose(procedure: string, what: 'answers' | 'requests', isLosing: () => boolean) {
  const names: (string | undefined)[] = []
  const way = `**/console/{api,account}/${procedure}*`
  const handle = async (route: Route) => {
    names.push(route.request().headers()['idempotency-key'])
    if (!isLosing()) return await route.fallback()
    if (what === 'answers') await route.fetch()
    await route.abort()
  }
  await opened.page.route(way, handle)
  return { names, end: () => opened.page.unroute(way, handle) }
}

async function fillIn(version: string): Promise<void> {
  await openAddress(opened, '#/releases/publish')
  await fillRelease(opened.page, version)
  await button('Publish').click()
}

test('a release whose answer was lost is published once, and opens', async () => {
  const { page } = opened
  await fillIn('1.0.0')
  let lost = 0
  const { names, end } = await lose('releases.publish', 'answers', () => ++lost === 1)
  await dialog().getByRole('button', { name: 'Publish 1.0.0' }).click()
  await page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
  await end()
  expect(names).toHaveLength(2)
  expect(names[0]).toBeTruthy()
  expect(names[1]).toBe(names[0])
})

test('a sign-in that gets no answer ends, and keeps what was typed', async () => {
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  await copyCode(opened.page.context(), context)
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${opened.address}/console/`)
  await page.getByLabel('Name').fill(PERSON.name)
  await page.getByLabel('Password', { exact: true }).fill('anything')
  const asked = page.waitForRequest('**/account/signIn*')
  await page.route('**/account/signIn*', () => {})
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await asked
  await page.clock.fastForward(16_000)
  await page.getByText('The server did not answer in time.').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe(PERSON.name)
  expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isEnabled()).toBe(true)
  await context.close()
})

test('who waits in vain can stop, keeps the form, and publishes the same release once', async () => {
  const { page } = opened
  await fillIn('1.1.0')
  let isLosing = true
  const { names, end } = await lose('releases.publish', 'requests', () => isLosing)
  await dialog().getByRole('button', { name: 'Publish 1.1.0' }).click()
  await dialog().getByText('Checking whether it was published').waitFor()
  await dialog().getByRole('button', { name: 'Stop waiting' }).click()
  await dialog().getByText('it is not known whether the change was made').waitFor()
  isLosing = false
  await dialog().getByRole('button', { name: 'Publish 1.1.0' }).click()
  await page.getByRole('heading', { level: 1, name: '1.1.0' }).waitFor()
  await end()
  expect(new Set(names).size).toBe(1)
  const { body } = await callApi(opened, 'GET', 'releases?app=editor')
  expect(body).toMatchObject({ total: 2 })
})

test('a list that cannot be refreshed says as of when it is, and so does the status', async () => {
  const { page } = opened
  await opened.goTo('Releases')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: /^1\.1\.0/ }).waitFor()
  let isLosing = true
  const { end } = await lose('*releases.list', 'requests', () => isLosing)
  await publishByApi(opened, '1.2.0')
  const old = main.getByRole('status').filter({ hasText: 'As of' })
  await old.getByText('It could not be refreshed since').waitFor()
  const status = page.getByRole('region', { name: 'Server status' })
  await status.getByText('Some data is out of date').waitFor()
  isLosing = false
  await old.getByRole('button', { name: 'Refresh' }).click()
  await main.getByRole('link', { name: /^1\.2\.0/ }).waitFor()
  await old.waitFor({ state: 'detached' })
  await status.getByText('Server is running').waitFor()
  await end()
})

test('what was changed while the connection was lost is shown once it is back', async () => {
  const { page } = opened
  let isLost = false
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/console\/live$/, (socket) => {
    if (isLost) return void socket.close()
    socket.connectToServer()
    sockets.push(socket)
  })
  await page.reload()
  await opened.goTo('Releases')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: /^1\.2\.0/ }).waitFor()
  const status = page.getByRole('region', { name: 'Server status' })
  await status.getByText('Server is running').waitFor()
  isLost = true
  for (const socket of sockets) await socket.close()
  const banner = page.getByRole('status').filter({ hasText: 'connection to the server was lost' })
  await banner.waitFor()
  await publishByApi(opened, '1.3.0')
  isLost = false
  await main.getByRole('link', { name: /^1\.3\.0/ }).waitFor()
  await status.getByText('Server is running').waitFor()
})

test.each([
  { width: 1_280, height: 800 },
  { width: 390, height: 844 },
])('the error and the buttons of a high dialog are in view at $width pixels', async (size) => {
  const { page } = opened
  const artifacts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map((arch) => ({
    ...{ platform: 'linux', arch, url: `https://downloads.example.com/${arch}.bin` },
    sha512: 'ab'.repeat(64),
  }))
  await publishByApi(opened, `2.0.${size.width}`, { artifacts })
  await page.setViewportSize(size)
  const from = `app=editor&channel=stable&from=stable&version=2.0.${size.width}`
  await goToAddress(page, `#/releases/publish?${from}`)
  await page.getByRole('textbox', { name: 'Version' }).fill(`3.0.${size.width}`)
  await button('Publish').click()
  let isLosing = true
  const { end } = await lose('releases.publish', 'requests', () => isLosing)
  const publish = dialog().getByRole('button', { name: /^Publish/ })
  await publish.click()
  await dialog().getByRole('button', { name: 'Stop waiting' }).click()
  const box = await dialog().getByRole('alert').last().boundingBox()
  const last = await publish.boundingBox()
  isLosing = false
  await end()
  expect(box?.y).toBeGreaterThan(0)
  expect((last?.y ?? size.height) + (last?.height ?? 0)).toBeLessThanOrEqual(size.height)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1_280, height: 800 })
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('link', { name: 'Overview' }).click()
  await dialog().getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})
