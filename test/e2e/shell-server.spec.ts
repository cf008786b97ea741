import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { JSHandle } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { serverProcesses } from './support/console.ts'
import { isShown, killServer, type Shown, watchDesktop } from './support/desktop.ts'
import { checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()
let shown: JSHandle<Shown>

beforeEach(async () => {
  await opened.page.getByText('Server is running').waitFor()
  shown = await watchDesktop(opened.app)
})

const notifications = () => shown.evaluate((it) => it.notifications)

test('a server that keeps crashing is restarted at growing intervals, or from the tray', async () => {
  const { app, page } = opened
  // Half a second after the first, then twice as long after each: eight seconds at last.
  for (let crash = 1; crash <= 5; crash++) {
    await expect.poll(() => serverProcesses(app)).toHaveLength(1)
    await killServer(app)
    await expect.poll(() => serverProcesses(app)).toHaveLength(0)
  }
  await page.getByText(/^Next try in [5-8] seconds$/).waitFor()
  expect(await shown.evaluate((it) => it.tooltips.at(-1))).toBe(
    'Tidegate: Server stopped and is restarting',
  )
  expect(await notifications()).toEqual([
    {
      title: 'The server is down',
      body: expect.stringMatching(/\(exit code \d+\)\. Restarting…$/),
    },
  ])
  // At once, not when its time has come: some turns of main's event loop later, not some seconds.
  const tooltip = await shown.evaluate(async (it) => {
    it.menu?.items.find(({ label }) => label === 'Start server')?.click()
    for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next))
    return it.tooltips.at(-1)
  })
  expect(tooltip).toBe('Tidegate: Server is starting')
  await page.getByText('Next try in').waitFor({ state: 'hidden' })
  await page.getByText('Server is running').waitFor()
})

test('a database problem is reported by a notification that opens the console', async () => {
  const { app, address, userData } = opened
  await createApp(opened)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  const clicks = await app.evaluateHandle(({ Notification }) => {
    const made: Electron.Notification[] = []
    const { show } = Notification.prototype
    Notification.prototype.show = function () {
      made.push(this)
      show.call(this)
    }
    return made
  })
  const other = new Database(join(userData, 'data', 'tidegate.db'))
  try {
    other.exec('BEGIN IMMEDIATE')
    await checkAll(address, '1.0.0', 3)
    await expect.poll(notifications).toEqual([
      {
        title: 'Check-ins cannot be saved',
        body: expect.stringMatching(/tidegate\.db is locked by another process/),
      },
    ])
  } finally {
    other.close()
  }
  await clicks.evaluate(([notification]) => notification?.emit('click'))
  await expect.poll(() => isShown(app)).toBe(true)
})
