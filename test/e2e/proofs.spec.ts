import { createHash, randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callConsole, publishByApi } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { dropFiles } from './support/drop.ts'
import {
  chooseRollout,
  confirmPublish,
  createApp,
  fillRelease,
  openPublishForm,
} from './support/steps.ts'

const BYTES = randomBytes(200_000)
const SHA512 = createHash('sha512').update(BYTES).digest('hex')
const replies = new Map<string, RequestListener>()
const files = createServer((request, response) => {
  const reply = replies.get(request.url ?? '')
  if (reply === undefined) response.writeHead(404).end()
  else reply(request, response)
})
const send: RequestListener = (_, response) => response.end(BYTES)

let opened: ReleaseConsole
let host: string

beforeAll(async () => {
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  const address = files.address()
  host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  opened = await openConsole({ reducedMotion: true })
  await createApp(opened)
})
afterAll(async () => {
  files.closeAllConnections()
  files.close()
  await opened?.close()
})

const publish = (version: string) => {
  const url = `http://${host}/${version}`
  const artifact = { platform: 'linux', arch: 'x86_64', url, sha512: SHA512, size: BYTES.length }
  return publishByApi(opened, version, { artifacts: [artifact] })
}
const show = (hash: string) => opened.page.evaluate(`location.hash = '#${hash}'`)
const artifacts = () => opened.page.getByRole('region', { name: 'Artifacts', exact: true })

test('an administrator allows a host, and a release is proven from it', async () => {
  const { page } = opened
  replies.set('/1.0.0', send)
  await publish('1.0.0')
  await show('/releases/editor/stable/1.0.0')
  await artifacts().getByText('Not proven yet').waitFor()
  await artifacts().getByRole('button', { name: 'Prove artifacts' }).click()
  await artifacts().getByText(`${host} is not an allowed host of the app.`).waitFor()

  await show('/apps/editor')
  await page.getByRole('button', { name: 'Edit proof settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Proof of artifacts: Editor' })
  const hosts = dialog.getByRole('textbox', { name: 'Allowed hosts' })
  await hosts.fill('https://downloads.example')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await dialog.getByText('https://downloads.example must be a host such as').waitFor()
  await hosts.fill(`downloads.example\n${host}`)
  await dialog.getByRole('textbox', { name: 'minisign key' }).fill('a key')
  await dialog.getByText('The key must be a minisign public key').waitFor()
  await dialog.getByRole('textbox', { name: 'minisign key' }).fill('')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: 'Proof of artifacts' }).getByText(host).waitFor()

  await show('/releases/editor/stable/1.0.0')
  await artifacts().getByRole('button', { name: 'Prove artifacts' }).click()
  await artifacts().getByText('Not signed').waitFor()
  await artifacts()
    .getByText(/^Proven/)
    .waitFor()
})

test('a Tauri manifest alone is published: the server downloads its files for their SHA-512', async () => {
  const { page } = opened
  await openPublishForm(opened)
  replies.set('/Editor.app.tar.gz', send)
  const url = `http://${host}/Editor.app.tar.gz`
  const file = { url, signature: 'signed' }
  const platforms = { 'darwin-aarch64': file, 'darwin-x86_64': file }
  const content = JSON.stringify({ version: '7.0.0', platforms })
  await dropFiles(page.getByRole('region', { name: 'Add files' }), [
    { name: 'latest.json', content },
  ])
  const rows = page.getByRole('group', { name: /^Artifact \d/ })
  for (const row of [rows.nth(0), rows.nth(1)]) {
    await expect.poll(() => row.getByLabel('SHA-512', { exact: true }).inputValue()).toBe(SHA512)
    expect(await row.getByLabel('Size in bytes').inputValue()).toBe(String(BYTES.length))
  }
  expect(await page.getByText('Imported with warnings').isVisible()).toBe(false)
  await chooseRollout(page, 'Everyone at once')
  await confirmPublish(page, '7.0.0')

  // A manifest that is wrong about the size of the file.
  await openPublishForm(opened)
  await rows.nth(0).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add artifact' }).click()
  await rows.nth(0).getByLabel('URL', { exact: true }).fill(url)
  await rows.nth(0).getByLabel('Size in bytes').fill('7')
  await rows.nth(0).getByRole('button', { name: 'Compute SHA-512' }).click()
  await rows.nth(0).getByText('The file does not have the size that is given.').waitFor()
  await rows.nth(0).getByLabel('Size in bytes').fill('')
  await rows.nth(0).getByRole('button', { name: 'Compute SHA-512' }).click()
  const sha512 = rows.nth(0).getByLabel('SHA-512', { exact: true })
  await expect.poll(() => sha512.inputValue()).toBe(SHA512)
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
})

test('the form that publishes offers to prove the artifacts', async () => {
  const { page } = opened
  await openPublishForm(opened)
  await fillRelease(page, '1.0.1')
  await page.getByRole('form', { name: 'Release' }).getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish 1.0.1' })
  await dialog.getByRole('checkbox', { name: 'Prove the artifacts now' }).check()
  await dialog.getByRole('button', { name: 'Publish 1.0.1' }).click()
  await artifacts().getByText('downloads.example.com is not an allowed host').waitFor()
})

test('a proof shows how far it is, and is canceled', async () => {
  replies.set('/1.1.0', (_, response) => {
    response.writeHead(200, { 'content-length': BYTES.length }).write(BYTES.subarray(0, 100_000))
  })
  await publish('1.1.0')
  await show('/releases/editor/stable/1.1.0')
  await artifacts().getByRole('button', { name: 'Prove artifacts' }).click()
  await artifacts().getByRole('progressbar', { name: 'Download' }).waitFor()
  await artifacts()
    .getByText(/of 200 kB/)
    .waitFor()
  await artifacts().getByRole('button', { name: 'Cancel proof' }).click()
  await artifacts().getByText('Not proven yet').waitFor()
})

test('with proof required, a release waits, and a dead link needs attention', async () => {
  const { page } = opened
  await show('/apps/editor')
  await page.getByRole('button', { name: 'Manage channel stable' }).click()
  await page.getByRole('menuitem', { name: 'Edit policy' }).click()
  const policy = page.getByRole('dialog', { name: 'Channel policy: stable' })
  await policy.getByRole('radio', { name: 'Require proof' }).check()
  await policy.getByRole('button', { name: 'Save policy' }).click()
  await policy.waitFor({ state: 'hidden' })
  await page.getByText('Proof required').waitFor()

  await publish('1.2.0')
  await show('/releases/editor/stable/1.2.0')
  const wait = page.getByRole('alert').filter({ hasText: 'Paused until proven' })
  await wait.waitFor()
  await artifacts().getByText('The server answered with HTTP status 404.').waitFor()
  expect(await page.getByRole('button', { name: 'Resume 1.2.0' }).count()).toBe(0)
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  await show('/')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText(/the artifact for linux x86_64 is not proven/).waitFor()
  await attention.getByRole('link', { name: '1.2.0 on editor/stable' }).click()

  replies.set('/1.2.0', send)
  await artifacts().getByRole('button', { name: 'Prove artifacts' }).click()
  await wait.waitFor({ state: 'hidden' })
  await page.getByText('Proven and resumed.').waitFor()
})

test('a release that waits can be kept paused', async () => {
  const { page } = opened
  await publish('1.3.0')
  await show('/releases/editor/stable/1.3.0')
  await page.getByRole('button', { name: 'Keep paused' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep 1.3.0 paused' })
  await dialog.getByRole('button', { name: 'Keep paused' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Kept paused once proven.').waitFor()
  replies.set('/1.3.0', send)
  await artifacts().getByRole('button', { name: 'Prove artifacts' }).click()
  await artifacts()
    .getByText(/^Proven/)
    .waitFor()
  const place = { app: 'editor', channel: 'stable', version: '1.3.0' }
  const { data } = Object(await callConsole(page, 'query', 'releases.get', place))
  expect(data).toMatchObject({ release: { status: 'paused' }, awaitsProof: false })
  await page.getByRole('button', { name: 'Resume 1.3.0' }).waitFor()
})
