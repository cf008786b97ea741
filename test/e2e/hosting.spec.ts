import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { check } from './support/device.ts'
import { dropFiles, dropLargeFile } from './support/drop.ts'
import { interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { add, THERE } from './support/remote.ts'
import { startSecondServer } from './support/second-server.ts'
import { chooseRollout, createApp, openPublishForm } from './support/steps.ts'

const FILE = 'Editor-linux-x86_64.AppImage'
const CONTENT = 'the built file'

const opened = openForAll()
let page: Page

beforeAll(async () => {
  page = opened.page
})

const addressOf = (server: string, content: string | Buffer) =>
  `${server}/files/${createHash('sha512').update(content).digest('hex').slice(0, 32)}/${FILE}`
const artifact = () => page.getByRole('group', { name: 'Artifact 1' })
const addFiles = () => page.getByRole('region', { name: 'Add files' })
const urlOf = () => artifact().getByLabel('URL', { exact: true }).inputValue()

test('the own server stores files once that is turned on, and the publish form uploads them', async () => {
  await createApp(opened)
  await opened.goTo('Settings')
  const section = page.getByRole('form', { name: 'File storage' })
  const save = section.getByRole('button', { name: 'Save and restart server' })
  await section.getByRole('switch', { name: 'Store files on this server' }).check()
  await section.getByLabel('Quota').fill('1')
  await section.getByLabel('Public URL').fill('ftp://updates.example.com')
  await save.click()
  await section.getByText('Public URL must be an absolute http or https address.').waitFor()
  expect(await findings({ page })).toEqual([])
  await section.getByLabel('Public URL').fill(opened.address)
  await save.click()
  await page.getByText('No stored files.').waitFor()

  await openPublishForm(opened)
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
  await dropFiles(addFiles(), [{ name: FILE, content: CONTENT }])
  await expect.poll(urlOf).toBe(addressOf(opened.address, CONTENT))
  await chooseRollout(page, 'Everyone at once')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish 1.0.0' }).click()
  await page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
  const offered = await check(opened.address, '0.9.0')
  expect(await (await fetch(String(offered?.url))).text()).toBe(CONTENT)
  expect(existsSync(join(opened.userData, 'data', 'artifacts', 'files'))).toBe(true)
  await opened.goTo('Settings')
  await page.getByRole('table', { name: 'Stored files' }).getByText(FILE).waitFor()
  await page.getByText(/^1 file, 14 B of 1\.1 GB/).waitFor()
})

test('a file of several pieces is uploaded to another server, also after a break', async () => {
  const second = await startSecondServer({ hosting: true })
  try {
    await second.running.updates.createApp(THERE, { ref: 'editor', name: 'Editor' })
    const faults = await interceptCalls(opened)
    await add(opened, second)
    await openPublishForm(opened)
    const { address } = second
    const pieces = await faults.hold('files.append')
    await dropLargeFile(addFiles(), FILE, 9)
    await artifact()
      .getByRole('progressbar', { name: `Upload of ${FILE}` })
      .waitFor({ state: 'attached' })
    await pieces.asked()
    await artifact().getByRole('button', { name: 'Cancel' }).click()
    await artifact().getByText(`${FILE} not uploaded`).waitFor()
    await pieces.release()
    await artifact().getByRole('button', { name: 'Resume upload' }).click()
    const zeros = Buffer.alloc(9 * 1_024 * 1_024)
    await expect.poll(urlOf).toBe(addressOf(address, zeros))
    const downloaded = await fetch(await urlOf())
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(zeros)).toBe(true)
  } finally {
    await second.close()
  }
})
