import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mutate, publishByApi } from './support/api.ts'
import { createChannel } from './support/channel.ts'
import { check } from './support/device.ts'
import { dropFiles } from './support/drop.ts'
import { tabTo } from './support/keyboard.ts'
import { openForAll } from './support/open-for-all.ts'
import { pick, picker } from './support/picker.ts'
import { goToAddress } from './support/release-console.ts'
import { chooseRollout, confirmPublish, createApp, openPublishForm } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})

/** Opens the publish form of a channel that has no releases. */
async function openFormOf(channel: string): Promise<void> {
  await createChannel(opened, channel)
  await openPublishForm(opened)
  await pick(opened.page, 'Channel', channel)
  await chooseRollout(opened.page, 'Everyone at once')
}

test('dropped build files become artifacts with hash, size and signature', async () => {
  const { page, address } = opened
  const content = 'the built file'
  await openFormOf('built')
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
  await dropFiles(page.getByRole('region', { name: 'Add files' }), [
    { name: 'Editor-linux-x86_64.AppImage', content },
    { name: 'Editor-linux-x86_64.AppImage.sig', content: 'the signature' },
  ])
  const artifact = page.getByRole('group', { name: 'Artifact 1' })
  const hash = createHash('sha512').update(content)
  const [hex, base64] = [hash.copy().digest('hex'), hash.digest('base64')]
  await expect.poll(() => artifact.getByLabel('SHA-512').inputValue()).toMatch(/.{80}/)
  expect([hex, base64]).toContain(await artifact.getByLabel('SHA-512').inputValue())
  expect(await artifact.getByLabel('Size in bytes').inputValue()).toBe(String(content.length))
  expect(await artifact.getByLabel('Signature').inputValue()).toBe('the signature')
  await page.getByLabel('Base URL').fill('https://downloads.example.com/1.0.0/')
  await confirmPublish(page, '1.0.0')
  expect(await check(address, '0.9.0', undefined, { channel: 'built' })).toMatchObject({
    version: '1.0.0',
    url: 'https://downloads.example.com/1.0.0/Editor-linux-x86_64.AppImage',
  })
})

test('files of several kinds for the same devices are published together', async () => {
  const { page, address } = opened
  await openFormOf('kinds')
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
  const names = ['editor-linux-x86_64.deb', 'editor-linux-x86_64.rpm', 'editor-linux-x86_64.bin']
  const zone = page.getByRole('region', { name: 'Add files' })
  await dropFiles(
    zone,
    names.map((name) => ({ name, content: name })),
  )
  const kind = (number: number) =>
    page.getByRole('group', { name: `Artifact ${number}` }).getByLabel('Kind', { exact: true })
  await expect.poll(() => kind(2).inputValue()).toBe('rpm')
  await kind(3).fill('deb')
  const twin = page.getByRole('alert').getByText('Artifact 1 already serves linux x86_64 deb.')
  await twin.waitFor()
  await kind(3).fill('Portable')
  await twin.waitFor({ state: 'detached' })
  await page.getByLabel('Base URL').fill('https://downloads.example.com/')
  await confirmPublish(page, '1.0.0')
  const rows = page.getByRole('row').filter({ hasText: 'downloads.example.com' })
  await rows.first().waitFor()
  const shown = (await rows.allInnerTexts()).map((row) => row.split(/\s+/).slice(0, 3).join(' '))
  expect(shown).toEqual(['linux x86_64 deb', 'linux x86_64 rpm', 'linux x86_64 portable'])
  for (const [bundle, name] of [
    ['rpm', names[1]],
    ['portable', names[2]],
  ]) {
    const url = `${address}/u/editor/kinds/linux/x86_64/0.9.0?bundle=${bundle}`
    expect(await (await fetch(url)).json()).toMatchObject({
      url: `https://downloads.example.com/${name}`,
    })
  }
})

test('a Tauri manifest that is dropped fills in the release, which is not lost without a question', async () => {
  const { page } = opened
  await openPublishForm(opened)
  const platforms = {
    'linux-x86_64': { url: 'https://downloads.example.com/e.tar.gz', signature: 'sig' },
    'darwin-aarch64': { url: 'https://downloads.example.com/e.app.tar.gz', signature: 'sig' },
  }
  const content = JSON.stringify({ version: '1.1.0', notes: 'From the **manifest**', platforms })
  const zone = page.getByRole('region', { name: 'Add files' })
  await dropFiles(zone, [{ name: 'latest.json', content }])
  await expect.poll(() => page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.1.0')
  expect(await page.getByRole('group', { name: /^Artifact \d/ }).count()).toBe(2)
  await page.getByRole('status').getByText('latest.json').first().waitFor()

  await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
  const dialog = page.getByRole('dialog', { name: 'Leave without publishing' })
  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('an existing, lower or invalid version is reported while typing', async () => {
  const { page } = opened
  await createChannel(opened, 'known')
  await publishByApi(opened, '1.0.0', { channel: 'known' })
  await openPublishForm(opened)
  await pick(page, 'Channel', 'known')
  const version = page.getByRole('textbox', { name: 'Version' })
  const line = page.getByRole('form', { name: 'Release' }).getByRole('status')
  await version.fill('1.0.0')
  await line
    .getByText(/exists|already/)
    .or(line.filter({ hasText: /exists|already/ }))
    .first()
    .waitFor()
  await version.fill('0.5.0')
  await line
    .filter({ hasText: /lower|below|older/ })
    .first()
    .waitFor()
  await version.fill('one')
  await line
    .filter({ hasText: /semantic version/ })
    .first()
    .waitFor()
  // Without files, it would only use the version up.
  await version.fill('1.2.0')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Add a file, or save a draft').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await version.fill('')
})

test('an unknown app or channel in the address is not replaced by another', async () => {
  const { page, goTo } = opened
  await goToAddress(page, '#/releases/publish?app=viewer&channel=stable')
  await page.getByText('App not found').waitFor()
  // It is there once somebody else has created it.
  await mutate(opened, 'apps.create', { name: 'Viewer', ref: 'viewer' })
  await expect.poll(() => picker(page, 'App').inputValue()).toBe('Viewer (viewer)')
  await goTo('Overview')
  await goToAddress(page, '#/releases/publish?app=viewer&channel=gone')
  await expect.poll(() => picker(page, 'Channel').inputValue()).toBe('')
})

test('publishing works by keyboard', async () => {
  const { page, address } = opened
  await openFormOf('typed')
  await page.getByRole('textbox', { name: 'Version' }).focus()
  await page.keyboard.type('2.0.0')
  const add = page.getByRole('button', { name: 'Add artifact' })
  await tabTo(opened, add)
  await page.keyboard.press('Enter')
  // The new row's fields come before the button that added it.
  const artifact = page.getByRole('group', { name: 'Artifact 1' })
  await artifact.waitFor()
  const values = {
    Platform: 'linux',
    Architecture: 'x86_64',
    URL: 'https://downloads.example.com/2.0.0/editor.bin',
    'SHA-512': 'cd'.repeat(64),
  }
  await tabTo(opened, artifact.getByLabel('Platform', { exact: true }), 'Shift+Tab')
  for (const [label, value] of Object.entries(values)) {
    await tabTo(opened, artifact.getByLabel(label, { exact: true }))
    await page.keyboard.type(value)
  }
  await tabTo(opened, page.getByRole('button', { name: 'Publish', exact: true }))
  await page.keyboard.press('Enter')
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Publish 2.0.0' })
  await confirm.waitFor()
  await tabTo(opened, confirm)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '2.0.0' }).waitFor()
  expect(await check(address, '1.0.0', undefined, { channel: 'typed' })).toMatchObject({
    version: '2.0.0',
  })
})

/** What has no name of all that a screen reader can act on. */
const unnamed = (tree: string) =>
  tree
    .split('\n')
    .filter((line) => /- (?:button|link|textbox|combobox|checkbox|radio|switch)\b(?! ")/.test(line))

test('a build is published by keyboard alone, with names that a screen reader reads', async () => {
  const { page, address } = opened
  await openFormOf('read')
  const url = 'https://downloads.example.com/Editor_3.0.0_amd64.AppImage'
  const platforms = { 'linux-x86_64': { url, signature: 'c2ln' } }
  const files = [
    { name: 'latest.json', content: JSON.stringify({ version: '3.0.0', platforms }) },
    { name: 'Editor_3.0.0_amd64.AppImage', content: 'built' },
  ]
  const asked = page.waitForEvent('filechooser')
  await tabTo(opened, page.getByRole('button', { name: 'Choose files' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const chooser = await asked
  await chooser.setFiles(
    files.map(({ name, content }) => ({ name, mimeType: '', buffer: Buffer.from(content) })),
  )
  await page.getByRole('table', { name: 'Files' }).waitFor()
  await page.getByText('Computing the SHA-512').waitFor({ state: 'hidden' })
  expect(unnamed(await page.locator('body').ariaSnapshot())).toEqual([])
  await tabTo(opened, page.getByRole('button', { name: 'Publish', exact: true }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('status').first().waitFor()
  const tree = await dialog.ariaSnapshot()
  expect(unnamed(tree)).toEqual([])
  expect(tree).toMatch(/^- dialog "Publish 3\.0\.0":/)
  for (const part of [
    '- table "Files":',
    'Editor_3.0.0_amd64.AppImage',
    '- button "Cancel"',
    '- button "Publish 3.0.0"',
  ]) {
    expect(tree).toContain(part)
  }
  await tabTo(opened, dialog.getByRole('button', { name: 'Publish 3.0.0' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '3.0.0' }).waitFor()
  const channel = 'read'
  expect(await check(address, '1.0.0', undefined, { channel })).toMatchObject({ url })
})
