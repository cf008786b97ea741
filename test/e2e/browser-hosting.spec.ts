import { createHash } from 'node:crypto'
import type { BrowserContext, Page, Route } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunningServer } from '../../src/server/compose/running-server.ts'
import { PRINCIPAL } from '../support/builders/actor.ts'
import { findings } from './support/axe.ts'
import { check } from './support/device.ts'
import { dropFiles } from './support/drop.ts'
import { signedInAs, startOwnServer } from './support/own-server.ts'
import { goToAddress, goToScreen } from './support/release-console.ts'
import { chooseRollout } from './support/steps.ts'

const FILE = 'Editor-linux-x86_64.AppImage'
let server: Awaited<ReturnType<typeof startOwnServer>>
let running: RunningServer
let context: BrowserContext
let page: Page

beforeAll(async () => {
  server = await startOwnServer({ storesFiles: true })
  running = server.running
  await running.updates.createApp(PRINCIPAL, { ref: 'editor', name: 'Editor' })
  context = await signedInAs(running, 'Ada')
})
beforeEach(async () => {
  page = await context.newPage()
  await page.goto(running.consoleAddress ?? '')
  await page.getByRole('heading', { level: 1 }).waitFor()
})
afterEach(() => page.close())
afterAll(async () => {
  await context?.close()
  await server?.stop()
})

async function openForm() {
  await goToAddress(page, '#/releases/publish')
  await page.getByRole('heading', { level: 1, name: 'Publish a release' }).waitFor()
  await page.getByRole('switch', { name: 'Upload files to this server' }).waitFor()
}

const artifact = (number: number) => page.getByRole('group', { name: `Artifact ${number}` })

test('a dropped file is uploaded, also after a break, and the release has its address', async () => {
  await openForm()
  const held: Route[] = []
  const uploads = /\/console\/artifacts\/uploads\/[0-9a-f]{32}$/
  await page.route(uploads, (route) => {
    held.push(route)
  })
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
  await dropFiles(page.getByRole('region', { name: 'Add files' }), [
    { name: FILE, content: 'the built file' },
  ])
  await artifact(1)
    .getByRole('progressbar', { name: `Upload of ${FILE}` })
    .waitFor({ state: 'attached' })
  await expect.poll(() => held.length).toBe(1)
  await artifact(1).getByRole('button', { name: 'Cancel' }).click()
  await artifact(1).getByText(`${FILE} not uploaded`).waitFor()
  await page.unroute(uploads)
  await artifact(1).getByRole('button', { name: 'Resume upload' }).click()
  const url = artifact(1).getByLabel('URL')
  const id = createHash('sha512').update('the built file').digest('hex').slice(0, 32)
  await expect.poll(() => url.inputValue()).toBe(`${running.address}/files/${id}/${FILE}`)
  expect(await page.getByLabel('Base URL').count()).toBe(0)
  expect(await findings({ page })).toEqual([])

  await chooseRollout(page, 'Everyone at once')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish 1.0.0' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const offered = await check(running.address, '0.9.0')
  expect(await (await fetch(String(offered?.url))).text()).toBe('the built file')
})

test('a refused upload says why, and files of other addresses are not uploaded', async () => {
  await openForm()
  const full = { error: 'the quota for stored files is 1 kB too small' }
  const begin = /\/console\/artifacts\/uploads$/
  await page.route(begin, (route) => route.fulfill({ status: 422, json: full }))
  await dropFiles(page.getByRole('region', { name: 'Add files' }), [
    { name: FILE, content: 'another file' },
  ])
  await artifact(1).getByText(`Could not upload ${FILE}: ${full.error}`).waitFor()
  await page.unroute(begin)
  await page.getByRole('switch', { name: 'Upload files to this server' }).uncheck()
  await page.getByLabel('Base URL').fill('https://downloads.example.com/')
  await expect
    .poll(() => artifact(1).getByLabel('URL').inputValue())
    .toBe(`https://downloads.example.com/${FILE}`)
})

test('stored files are listed with their space, and an unused one is deleted', async () => {
  const { incoming } = running.updates.uploadFiles(PRINCIPAL).hosting
  const upload = { name: 'Unused.exe', size: 3, sha512: null }
  const { id } = await incoming.create('ab'.repeat(16), 'me', upload)
  async function* bytes() {
    yield Buffer.from('abc')
  }
  await incoming.append(id, 0, bytes())
  await running.updates.finishUpload(PRINCIPAL, id)
  await goToScreen(page, 'Settings')
  const table = page.getByRole('table', { name: 'Stored files' })
  await table.getByText('Unused.exe').waitFor()
  await page.getByText(/^2 files, 17 B of 1\.1 GB/).waitFor()
  expect(await table.getByRole('button', { name: /^Delete/ }).count()).toBe(1)
  await table.scrollIntoViewIfNeeded()
  expect(await findings({ page })).toEqual([])
  await table.getByRole('button', { name: 'Delete Unused.exe' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await table.getByText('Unused.exe').waitFor({ state: 'detached' })
  await table.getByText(FILE).waitFor()
})
