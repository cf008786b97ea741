import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import {
  bucketPlace,
  PASS,
  type S3Server,
  startS3,
  stubCredentials,
} from '../support/servers/s3-server.ts'
import { findings } from './support/axe.ts'
import { openPageOf } from './support/browser.ts'
import { inBrowser, openConsole, type ReleaseConsole } from './support/console.ts'
import { dropFiles } from './support/drop.ts'
import { add, THERE } from './support/remote.ts'
import { startSecondServer } from './support/second-server.ts'
import { openPublishForm } from './support/steps.ts'

const FILE = 'Editor-linux-x86_64.AppImage'
const CONTENT = 'the built file'
const SHA512 = createHash('sha512').update(CONTENT).digest('hex')

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** The publish form on a server that keeps its files in a bucket, and soon tells uploaders to wait for it. */
async function openForm() {
  stubCredentials()
  const s3 = await startS3()
  const second = await startSecondServer({ hosting: { bucket: bucketPlace(s3), storeWithin: 100 } })
  open.push(() => second.close())
  await second.running.updates.createApp(THERE, { ref: 'editor', name: 'Editor' })
  const looks = vi.spyOn(second.running.updates, 'findFile')
  let opened: Pick<ReleaseConsole, 'page' | 'goTo' | 'close'>
  if (inBrowser)
    opened = await openPageOf({
      console: second.running.consoleAddress ?? '',
      link: null,
      code: second.running.consoleCode,
    })
  else {
    const desktop = await openConsole({ reducedMotion: true })
    await add(desktop, second)
    opened = desktop
  }
  open.push(() => opened.close())
  await openPublishForm(opened)
  const { page } = opened
  const artifact = page.getByRole('group', { name: 'Artifact 1' })
  const files = [{ name: FILE, content: CONTENT }]
  return {
    ...{ s3, page, artifact },
    /** How often the console asked for the file. */
    asked: () => looks.mock.calls.length,
    url: () => artifact.getByLabel('URL', { exact: true }).inputValue(),
    stored: `${second.address}/files/${SHA512.slice(0, 32)}/${FILE}`,
    drop: () => dropFiles(page.getByRole('region', { name: 'Add files' }), files),
  }
}

const attempts = ({ requests }: S3Server) =>
  requests.filter(({ operation }) => operation === 'PUT object').length

test('a file that has arrived is waited for until it is in the bucket', async () => {
  const { s3, page, artifact, asked, drop, url, stored } = await openForm()
  const held = Promise.withResolvers<undefined>()
  s3.fault = ({ operation }) => (operation === 'PUT object' ? held.promise : PASS)
  await drop()
  await artifact.getByText('Uploaded 14 B. Storing…').waitFor()
  await expect.poll(asked).toBeGreaterThan(3)
  await artifact.getByText('Uploaded 14 B. Storing…').waitFor()
  expect([attempts(s3), await url()]).toEqual([1, ''])
  expect(await findings({ page })).toEqual([])
  held.resolve(PASS)
  await expect.poll(url).toBe(stored)
  expect(attempts(s3)).toBe(1)
  const downloaded = await fetch(stored)
  expect(new URL(downloaded.url).origin).toBe(s3.endpoint)
  expect(await downloaded.text()).toBe(CONTENT)
})

test('a bucket that refuses a file is named, and the upload goes on from what has arrived', async () => {
  const { s3, page, artifact, drop, url, stored } = await openForm()
  s3.fault = ({ operation }) => (operation === 'PUT object' ? 403 : PASS)
  await drop()
  await artifact
    .getByText(`Could not upload ${FILE}: The bucket studio cannot be used: access is denied`)
    .waitFor()
  expect(await findings({ page })).toEqual([])
  s3.fault = () => PASS
  await artifact.getByRole('button', { name: 'Resume upload' }).click()
  const outcome = async () => (await url()) || (await artifact.innerText())
  await expect.poll(outcome).toBe(stored)
  expect(await (await fetch(stored)).text()).toBe(CONTENT)
})
