import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseBody } from './support/api.ts'
import { sharedBrowser } from './support/browser.ts'
import { check } from './support/device.ts'
import {
  createAppAndKey,
  createFirstAccount,
  publishWith,
  SETUP_LINK,
} from './support/first-run.ts'
import { goToScreen } from './support/release-console.ts'
import { freshClone, openTerminal, type Terminal } from './support/terminal.ts'

const SERVE = 'npm run -s serve -- --port 0'

let folder = ''
let clone = ''
let terminal: Terminal
let context: BrowserContext
let page: Page
let address = ''
let key = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-first-run-'))
  clone = freshClone(folder)
  terminal = openTerminal(SERVE, clone, folder)
  context = await (await sharedBrowser()).newContext()
  context.setDefaultTimeout(60_000)
  page = await context.newPage()
})
afterAll(async () => {
  await context?.close()
  await terminal?.interrupt()
  rmSync(folder, { recursive: true, force: true })
})

test('on a terminal, the server prints the addresses and a link before the console is built', async () => {
  address = await terminal.waitFor(/listening on (\S+)/)
  expect(await terminal.waitFor(/Console: (\S+)/)).toBe(`${address}/console/`)
  expect(await terminal.waitFor(SETUP_LINK)).toContain(`${address}/console/#/link/`)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  const unbuilt = await fetch(`${address}/console/`)
  expect([unbuilt.status, unbuilt.headers.get('retry-after')]).toEqual([503, '3'])
})

test('the link opens the console once it is built, and creates the first account', async () => {
  await createFirstAccount(page, await terminal.waitFor(SETUP_LINK))
})

test('the console creates an app and a key', async () => {
  key = await createAppAndKey(page)
})

test('a release that is published with the key is offered to a device, and shown', async () => {
  expect(await check(address, '1.0.0', 'a-device')).toBeNull()
  const published = await publishWith(key, address, releaseBody('1.1.0'))
  expect(published.status).toBe(201)
  expect(await check(address, '1.0.0', 'a-device')).toMatchObject({ version: '1.1.0' })
  await goToScreen(page, 'Releases')
  await page.getByRole('link', { name: '1.1.0' }).first().waitFor()
})

test('the address of the server leads to the console, where a stranger has to show the code', async () => {
  const stranger = await (await sharedBrowser()).newContext()
  try {
    const other = await stranger.newPage()
    await other.goto(address)
    await other.getByRole('heading', { level: 1, name: 'New browser on this computer' }).waitFor()
    expect(other.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\//)
  } finally {
    await stranger.close()
  }
})

test('a link works once', async () => {
  await page.goto('about:blank')
  await page.goto(await terminal.waitFor(SETUP_LINK))
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
})

test('a later start builds nothing, and prints no link', async () => {
  await terminal.interrupt()
  terminal = openTerminal(SERVE, clone, folder)
  const again = await terminal.waitFor(/Console: (\S+)/)
  expect((await fetch(again)).status).toBe(200)
  await terminal.interrupt()
  expect(terminal.shown()).not.toContain('first account')
  expect(terminal.shown()).not.toMatch(/console (is being|could not be) built/)
})
