import { createHash } from 'node:crypto'
import type { Locator } from 'playwright'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { check } from './support/device.ts'
import { dropFiles, dropLargeFile } from './support/drop.ts'
import { openForAll } from './support/open-for-all.ts'
import { chooseRollout, confirmPublish, createApp, openPublishForm } from './support/steps.ts'

const LARGE = 128
const SHA512 = Buffer.alloc(64, 0xab).toString('base64')
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})
beforeEach(async () => {
  await opened.goTo('Overview')
  await openPublishForm(opened)
})

const zone = () => opened.page.getByRole('region', { name: 'Add files' })
const row = (number: number) => opened.page.getByRole('group', { name: `Artifact ${number}` })
const field = (number: number, name: string) => row(number).getByLabel(name, { exact: true })
const manifest = (...files: string[]) =>
  ['version: 1.1.0', 'files:']
    .concat(files.map((url) => `  - url: ${url}\n    sha512: ${SHA512}\n    size: 4096`))
    .join('\n')

test('electron-builder manifests of three platforms become one release', async () => {
  const { page, address } = opened
  await dropFiles(zone(), [
    { name: 'latest.yml', content: manifest('Editor-Setup-1.1.0.exe') },
    { name: 'latest-mac.yml', content: manifest('Editor-1.1.0-arm64-mac.zip') },
    { name: 'latest-linux.yml', content: manifest('Editor-1.1.0.AppImage') },
  ])
  await row(3).waitFor()
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.1.0')
  expect(await field(1, 'SHA-512').inputValue()).toBe(SHA512)
  expect(await field(1, 'Size in bytes').inputValue()).toBe('4096')
  await page.getByLabel('Base URL').fill('https://downloads.example.com/1.1.0')
  await chooseRollout(page, 'Everyone at once')
  await confirmPublish(page, '1.1.0')
  const offers = {
    'windows/x86_64': 'Editor-Setup-1.1.0.exe',
    'darwin/aarch64': 'Editor-1.1.0-arm64-mac.zip',
    'linux/x86_64': 'Editor-1.1.0.AppImage',
  }
  for (const [target, name] of Object.entries(offers)) {
    const url = `https://downloads.example.com/1.1.0/${name}`
    expect(await check(address, '1.0.0', undefined, { target }), target).toMatchObject({ url })
  }
  expect(await check(address, '1.0.0', undefined, { target: 'darwin/x86_64' })).toBeNull()
})

test('a Tauri manifest is completed by the build file, and published', async () => {
  const { page, address } = opened
  const url = 'https://downloads.example.com/1.2.0/Editor_aarch64.app.tar.gz'
  const platforms = { 'darwin-aarch64': { url, signature: 'signed' } }
  const content = JSON.stringify({ version: 'v1.2.0', notes: 'From the manifest', platforms })
  await dropFiles(zone(), [{ name: 'latest.json', content }])
  const lack = page.getByText('No artifact in latest.json has a SHA-512.')
  await lack.waitFor()
  // The server may not download it.
  await row(1).getByText('downloads.example.com is not an allowed host of the app.').waitFor()
  await dropFiles(zone(), [{ name: 'Editor_aarch64.app.tar.gz', content: 'built' }])
  const sha512 = createHash('sha512').update('built').digest('hex')
  await expect.poll(() => field(1, 'SHA-512').inputValue()).toBe(sha512)
  await lack.waitFor({ state: 'hidden' })
  expect(await row(2).count()).toBe(0)
  expect(await field(1, 'Signature').inputValue()).toBe('signed')
  await chooseRollout(page, 'Everyone at once')
  await confirmPublish(page, '1.2.0')
  await page.getByText('From the manifest').waitFor()
  const offer = await check(address, '1.1.0', undefined, { target: 'darwin/aarch64' })
  expect(offer).toMatchObject({ version: '1.2.0', url })
})

test('hashing a large file shows its progress, and can be canceled and restarted', async () => {
  const { page } = opened
  await dropLargeFile(zone(), 'Editor-linux-x86_64.AppImage', LARGE)
  const progress = row(1).getByRole('progressbar', { name: /^SHA-512 of/ })
  await expect
    .poll(async () => Number(await progress.getAttribute('aria-valuenow')))
    .toBeGreaterThan(0)
  await page.getByRole('status').getByText('Computing the SHA-512 of your files').waitFor()
  await row(1).getByRole('button', { name: 'Cancel' }).click()
  await row(1).getByText('SHA-512 of Editor-linux-x86_64.AppImage not computed').waitFor()
  expect(await field(1, 'SHA-512').inputValue()).toBe('')
  await row(1).getByRole('button', { name: 'Compute SHA-512' }).click()
  const hash = createHash('sha512')
  for (let n = 0; n < LARGE; n++) hash.update(Buffer.alloc(1024 * 1024))
  await expect.poll(() => field(1, 'SHA-512').inputValue()).toBe(hash.digest('hex'))
  await dropFiles(zone(), [
    { name: 'Editor-linux-x86_64.AppImage.sig', content: 'the signature\n' },
  ])
  await expect.poll(() => field(1, 'Signature').inputValue()).toBe('the signature')
  await discard()
})

test('files of another version cause a warning in the form and in the confirmation', async () => {
  const { page } = opened
  const old = manifest('Editor-Setup-6.0.0.exe').replace('1.1.0', '6.0.0')
  await page.getByRole('textbox', { name: 'Version' }).fill('6.1.0')
  await dropFiles(zone(), [{ name: 'latest.yml', content: old }])
  await dropFiles(zone(), [{ name: 'Editor-6.1.0-arm64.dmg', content: 'built' }])
  await dropFiles(zone(), [{ name: 'empty.txt', content: '' }])
  const told = (inside: Locator) =>
    inside.getByRole('status').filter({ hasText: 'Check these files before you publish' })
  const form = page.getByRole('form', { name: 'Release' })
  await told(form).getByText('latest.yml is for version 6.0.0, not version 6.1.0.').waitFor()
  await told(form).getByText('Editor-Setup-6.0.0.exe looks like version 6.0.0').waitFor()
  await told(form).getByText('empty.txt is empty.').waitFor()
  await row(3).getByRole('button', { name: 'Remove artifact 3' }).click()
  await page.getByLabel('Base URL').fill('https://downloads.example.com/')
  await expect.poll(() => field(2, 'SHA-512').inputValue()).not.toBe('')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish 6.1.0' })
  await told(dialog).getByText('latest.yml is for version 6.0.0, not version 6.1.0.').waitFor()
  const files = dialog.getByRole('table', { name: 'Files' })
  expect(await files.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('File'),
    expect.stringMatching(/Editor-Setup-6\.0\.0\.exe\s+windows x86_64 nsis\s+4\.1 kB\s+None/),
    expect.stringMatching(/Editor-6\.1\.0-arm64\.dmg\s+darwin aarch64 dmg\s+5 B\s+None/),
  ])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('textbox', { name: 'Version' }).fill('6.0.0')
  await told(form).getByText('latest.yml is for').waitFor({ state: 'detached' })
  await told(form).getByText('Editor-6.1.0-arm64.dmg looks like version 6.1.0').waitFor()
  await discard()
})

test('artifacts that serve the same devices under two names are reported immediately', async () => {
  const { page } = opened
  for (const [index, platform] of ['macos', 'darwin'].entries()) {
    await page.getByRole('button', { name: 'Add artifact' }).click()
    await field(index + 1, 'Platform').fill(platform)
    await field(index + 1, 'Architecture').fill(index === 0 ? 'arm64' : 'aarch64')
  }
  await row(2).getByText('macos arm64 and darwin aarch64 are the same.').waitFor()
  await field(2, 'Architecture').fill('x86_64')
  await row(2).getByRole('alert').waitFor({ state: 'detached' })
  await discard()
})

async function discard(): Promise<void> {
  const { page } = opened
  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}
