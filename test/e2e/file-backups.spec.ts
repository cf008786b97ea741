import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/processes/ports.ts'
import { findings } from './support/axe.ts'
import { PERSON } from './support/browser.ts'
import { inBrowser, newUserData, openConsole, type ReleaseConsole } from './support/console.ts'
import { dropLargeFile } from './support/drop.ts'
import { confirmPublish, createApp, openPublishForm } from './support/steps.ts'

const FILE = 'Editor-linux-x86_64.AppImage'
const MIB = 1_024 ** 2
const CONTENT = Buffer.alloc(9 * MIB)
const SHA512 = createHash('sha512').update(CONTENT).digest('hex')

let userData: string
let port: number
let opened: ReleaseConsole

beforeEach(async () => {
  userData = newUserData()
  port = await freePort()
  opened = await openConsole({ storesFiles: true, reducedMotion: true, userData, port })
})
afterEach(() => opened.close())

const data = (...path: string[]) => join(userData, 'data', ...path)
const copies = () => data('backups', 'tidegate-files')

/** Publishes a release whose file the server stores. */
async function publishFile() {
  const { page } = opened
  await createApp(opened)
  await openPublishForm(opened)
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
  await dropLargeFile(page.getByRole('region', { name: 'Add files' }), FILE, CONTENT.length / MIB)
  const artifact = page.getByRole('group', { name: 'Artifact 1' })
  const url = artifact.getByLabel('URL', { exact: true })
  await expect.poll(() => url.inputValue()).toContain(`${opened.address}/files/`)
  await confirmPublish(page, '1.0.0')
}

async function backUp() {
  const { page } = opened
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('menuitem', { name: 'Database and stored files' }).click()
}

const notice = (message: string) => opened.page.getByRole('alert').filter({ hasText: message })

test('a backup has the stored files, and a restore brings back those that are gone', async () => {
  await publishFile()
  await opened.goTo('Settings')
  await backUp()
  await notice('Backup of the database and stored files created and verified').waitFor()
  expect(readdirSync(copies())).toEqual([SHA512])
  expect(readFileSync(join(copies(), SHA512)).equals(CONTENT)).toBe(true)

  await opened.quit()
  rmSync(data('artifacts', 'files'), { recursive: true })
  opened = await openConsole({ ...{ userData, port, storesFiles: true }, reducedMotion: true })
  const { page } = opened
  const address = `${opened.address}/files/${SHA512.slice(0, 32)}/${FILE}`
  await opened.goTo('Settings')
  await page
    .getByRole('button', { name: /^Restore backup / })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Restore backup' })
  await dialog
    .getByText(
      '1 stored file (9.4 MB) is missing on the server and will be restored from the folder of the backups.',
    )
    .waitFor()
  expect((await fetch(address)).status).toBe(404)
  expect(await findings({ page })).toEqual([])
  await dialog.getByRole('textbox').fill('restore')
  await dialog.getByRole('button', { name: 'Restore backup' }).click()
  if (inBrowser) {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Name').fill(PERSON.name)
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByText(/The previous database is kept as .*before-restore/).waitFor()
  const downloaded = Buffer.from(await (await fetch(address)).arrayBuffer())
  expect(downloaded.equals(CONTENT)).toBe(true)
})

/** Reads until there is nothing more. */
async function drain(pipe: FileHandle) {
  const buffer = Buffer.alloc(MIB)
  while ((await pipe.read(buffer, 0, MIB)).bytesRead > 0);
}

// A pipe in the place of the copy takes as much of it as the test wants.
test.runIf(inBrowser && process.platform !== 'win32')(
  'copying shows how far it is, and is canceled without the backup of the database',
  async () => {
    await publishFile()
    const { page } = opened
    const bar = page.getByRole('progressbar', { name: 'Copying stored files' })
    const { pid } = JSON.parse(readFileSync(data('server.json'), 'utf8'))
    mkdirSync(copies(), { recursive: true })
    const path = join(copies(), `${SHA512}.${pid}.partial`)
    expect(spawnSync('mkfifo', [path]).status).toBe(0)
    await opened.goTo('Settings')
    await backUp()
    const pipe = await open(path)
    try {
      const buffer = Buffer.alloc(4 * MIB)
      for (let read = 0; read < buffer.length; ) {
        read += (await pipe.read(buffer, read, buffer.length - read)).bytesRead
      }
      // The piece that is being written is not counted.
      await expect
        .poll(() => bar.getAttribute('aria-valuetext'))
        .toMatch(/^[34]\.\d MB of 9\.4 MB$/)
      expect(await findings({ page })).toEqual([])
      const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel' })
      await cancel.click()
      // The server knows, before it can write the rest.
      await expect.poll(() => cancel.getAttribute('data-loading')).toBeNull()
      await drain(pipe)
    } finally {
      await pipe.close()
    }
    await notice(
      'Backup of the database created and verified. Copying stored files was canceled.',
    ).waitFor()
    await bar.waitFor({ state: 'detached' })
    expect(readdirSync(copies())).toEqual([])
    await page.getByRole('button', { name: /^Restore backup / }).waitFor()
  },
)
