import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import { createServer } from '../../src/server/server.ts'
import { dataFile } from '../../src/server/storage/sqlite/database.ts'
import { freePort } from '../support/processes/ports.ts'
import { newUserData, openConsole, type ReleaseConsole } from './support/console.ts'

const root = resolve(import.meta.dirname, '../..')
let opened: ReleaseConsole | undefined
let holder: ChildProcess | undefined

afterEach(async () => {
  holder?.kill('SIGKILL')
  await opened?.close()
})

/** A server of the command line on the app's data folder, as somebody may have left it running. */
async function holdDataFolder(userData: string): Promise<{ child: ChildProcess; address: string }> {
  const port = await freePort()
  const folder = join(userData, 'data')
  mkdirSync(folder)
  const args = ['src/server/cli.ts', 'serve', '--data', folder, '--port', `${port}`]
  const child = spawn(join(root, 'node_modules/.bin/node'), args, { cwd: root, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${address}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return { child, address }
}

test('a data folder in use is reported with a fix, and the start can be retried', async () => {
  const userData = newUserData()
  const { child, address } = await holdDataFolder(userData)
  holder = child
  opened = await openConsole({ userData })
  const status = opened.page.getByRole('status')
  await status.getByText('The server cannot start: its data folder is in use').waitFor()
  const message = status.getByText('Stop it and try again.')
  expect(await message.innerText()).toContain(
    `is in use by the server at ${address} (process ${child.pid})`,
  )
  child.kill('SIGTERM')
  await once(child, 'exit')
  await status.getByRole('button', { name: 'Try again' }).click()
  await opened.page.getByText('Server is running').waitFor()
})

test('a database of a newer version is reported with a fix, and left unchanged', async () => {
  const userData = newUserData()
  const dataFolder = join(userData, 'data')
  mkdirSync(dataFolder)
  const server = await createServer({ dataFolder, port: 0 }).start()
  await server.stop()
  const file = dataFile(dataFolder)
  setVersion(file, 9_999)
  opened = await openConsole({ userData })
  const status = opened.page.getByRole('status')
  await status
    .getByText('The server cannot start: the database is from a newer version of Tidegate')
    .waitFor()
  const message = status.getByText('Install that version, or restore an older backup.')
  expect(await message.innerText()).toContain('schema 9999')
  await opened.quit()
  expect(setVersion(file)).toBe(9_999)
})

/** The version of the schema that a database says it has. */
function setVersion(file: string, version?: number): unknown {
  const database = new Database(file)
  try {
    if (version !== undefined) database.pragma(`user_version = ${version}`)
    return database.pragma('user_version', { simple: true })
  } finally {
    database.close()
  }
}
