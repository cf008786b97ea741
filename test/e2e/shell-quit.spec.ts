import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { lockDataFolder } from '../../src/server/storage/data-folder/lock.ts'
import {
  launch,
  newUserData,
  openConsole,
  type ReleaseConsole,
  serverProcesses,
  startAgain,
} from './support/console.ts'
import { ended } from './support/desktop.ts'
import { check, checkAll } from './support/device.ts'
import { createApp, publish } from './support/steps.ts'

const DEVICES = 30
let opened: ReleaseConsole
afterEach(() => opened?.close())

test('a change acknowledged right before quitting exists after the next start', async () => {
  opened = await openConsole()
  await createApp(opened)
  await publish(opened, '1.0.0')
  const [server = 0] = await serverProcesses(opened.app)
  const end = ended(opened.app)
  // Check-ins are written behind: these wait in memory when the app is told to quit.
  await checkAll(opened.address, '0.9.0', DEVICES)
  await opened.app.evaluate(({ app }) => app.quit()).catch(() => {})
  expect(await end).toBe(0)

  const folder = join(opened.userData, 'data')
  expect(existsSync(join(folder, 'server.json'))).toBe(false)
  expect(() => process.kill(server, 0)).toThrow('ESRCH')
  lockDataFolder(folder).release()

  opened = await openConsole({ userData: opened.userData })
  await opened.page.getByText('Server is running').waitFor()
  expect(await check(opened.address, '0.9.0')).toMatchObject({ version: '1.0.0' })
  const summary = await opened.page.evaluate(
    "window.tidegate.call({ type: 'query', path: 'overview.get', input: undefined })",
  )
  expect(JSON.stringify(summary)).toContain(`"devices":${DEVICES}`)
})

test('a start with --quit quits the running app, for the installer', async () => {
  opened = await openConsole({ preferences: { closeToTray: true } })
  await opened.page.getByText('Server is running').waitFor()
  const [server = 0] = await serverProcesses(opened.app)
  const end = ended(opened.app)
  await startAgain(opened.app, opened.userData, ['--quit'])
  expect(await end).toBe(0)
  expect(() => process.kill(server, 0)).toThrow('ESRCH')
  lockDataFolder(join(opened.userData, 'data')).release()
})

test('a start with --quit starts nothing if no app is running', async () => {
  const userData = newUserData()
  const app = await launch(userData, { args: ['--quit'] }).catch(() => undefined)
  // Gone before anybody can connect to it, or soon after.
  if (app !== undefined) await ended(app)
  expect(existsSync(join(userData, 'data'))).toBe(false)
})
