import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { desktopPrincipal } from '../../src/server/console/procedures.ts'
import { createServer } from '../../src/server/server.ts'
import { newUserData, openConsole, type ReleaseConsole } from './support/console.ts'
import { ended, isShown, watchDesktop } from './support/desktop.ts'
import { check } from './support/device.ts'
import { clickMenu } from './support/menu.ts'
import { saveSection } from './support/settings.ts'
import { EDITOR } from './support/steps.ts'

const DAY = 86_400_000
let opened: ReleaseConsole
afterEach(() => opened?.close())

const form = (name: string) => opened.page.getByRole('form', { name, exact: true })

/** Presses a switch, which moves once its setting is saved. */
async function turn(name: string, on: boolean): Promise<void> {
  const control = opened.page.getByRole('switch', { name })
  await control.click()
  await expect.poll(() => control.isChecked()).toBe(on)
}

const save = (section: string) => saveSection(opened, section)

/** What an app keeps whose devices checked in that many days ago. */
async function userDataWithPast(...daysAgo: readonly number[]): Promise<string> {
  const userData = newUserData()
  const dataFolder = join(userData, 'data')
  mkdirSync(dataFolder)
  for (const days of daysAgo) {
    const clock = () => Date.now() - days * DAY
    const server = await createServer({ dataFolder, port: 0 }, undefined, { clock }).start()
    const { updates, consoleContext } = server
    const principal = desktopPrincipal()
    if (consoleContext.catalog.snapshot.apps.length === 0)
      await updates.createApp(principal, EDITOR)
    await check(server.address, '1.0.0', 'veteran')
    await server.stop()
  }
  return userData
}

test('expired check-ins are deleted', async () => {
  opened = await openConsole({ userData: await userDataWithPast(60, 10) })
  const { page } = opened
  const rows = async () => {
    await opened.goTo('Devices')
    await page.getByRole('link', { name: 'veteran' }).click()
    const table = page.getByRole('region', { name: 'Check-ins' }).getByRole('table')
    await table.waitFor()
    return (await table.getByRole('row').count()) - 1
  }
  expect(await rows()).toBe(2)
  await opened.goTo('Settings')
  await form('Data retention and backups').getByLabel('Keep check-ins').fill('30')
  await save('Data retention and backups')
  await expect.poll(rows).toBe(1)
})

test('a failed backup is reported with its reason, also as a notification', async () => {
  opened = await openConsole()
  const { page, app, userData } = opened
  const folder = join(userData, 'copies')
  await opened.goTo('Settings')
  await form('Data retention and backups').getByLabel('Backup folder', { exact: true }).fill(folder)
  await save('Data retention and backups')
  const panel = page.getByRole('region', { name: 'Backups' })
  // The new server answers: a call to the one that stops would fail without a backup's failure.
  await panel.getByText(folder).waitFor()
  const shown = await watchDesktop(app)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file in the place of the folder')
  const now = panel.getByRole('button', { name: 'Back up now' })
  await now.click()
  await panel.getByText('The backup was not created').waitFor()
  await panel.getByText('The last backup failed').waitFor()
  await expect
    .poll(() => shown.evaluate((it) => it.notifications))
    .toEqual([
      {
        title: 'The backup failed',
        body: expect.stringMatching(/copies/),
      },
    ])
  rmSync(folder)
  await now.click()
  await panel.getByRole('table', { name: 'Backups' }).waitFor()
  await panel.getByText('The last backup failed').waitFor({ state: 'hidden' })
  expect(readdirSync(folder)).toHaveLength(1)
})

test('closing the window keeps the app in the tray or quits it, depending on the setting', async () => {
  opened = await openConsole({ preferences: { closeToTray: false } })
  const { app } = opened
  await opened.goTo('Settings')
  await turn('Keep running in the tray', true)
  await clickMenu(app, 'Close window')
  await expect.poll(() => isShown(app)).toBe(false)
  // The server may still be starting.
  const { address } = opened
  const health = () => fetch(`${address}/healthz`).then(({ status }) => status, String)
  await expect.poll(health).toBe(200)
  await clickMenu(app, 'Settings…')
  await expect.poll(() => isShown(app)).toBe(true)
  await turn('Keep running in the tray', false)
  const end = ended(app)
  await clickMenu(app, 'Close window').catch(() => {})
  expect(await end).toBe(0)
  await expect(fetch(`${address}/healthz`)).rejects.toThrow()
})
