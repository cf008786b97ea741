import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/processes/ports.ts'
import {
  launch,
  newUserData,
  openConsole,
  type ReleaseConsole,
  startAgain,
} from './support/console.ts'
import { menuItems } from './support/menu.ts'

// Electron then takes the app for packaged: one that is being developed must not start at login.
const env = { ELECTRON_FORCE_IS_PACKAGED: 'true', APPIMAGE: '/opt/100% Tidegate/tidegate.AppImage' }
let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

const START_AT_LOGIN = `window.tidegate.call({ type: 'mutation', path: 'shell.setPreferences',
  input: { startAtLogin: true } })`

describe('a packaged app', () => {
  let opened: ReleaseConsole
  beforeAll(async () => {
    opened = await openConsole({ env })
    await opened.page.getByText('Server is running').waitFor()
  })
  afterAll(() => opened?.close())

  test.runIf(process.platform === 'linux')(
    'start at login, set on the screen, creates and removes the entry of the desktop',
    async () => {
      const { app, page } = opened
      const config = await app.evaluate((electron) => electron.app.getPath('appData'))
      const entry = join(config, 'autostart', 'tidegate.desktop')
      expect(existsSync(entry)).toBe(false)
      await opened.goTo('Settings')
      const control = page.getByRole('switch', { name: 'Start at login' })
      await control.click()
      // It moves once its setting is saved.
      await expect.poll(() => control.isChecked()).toBe(true)
      const lines = readFileSync(entry, 'utf8').split('\n')
      expect(lines[0]).toBe('[Desktop Entry]')
      expect(lines).toContain('Exec="/opt/100%% Tidegate/tidegate.AppImage" "--hidden"')
      await control.click()
      await expect.poll(() => control.isChecked()).toBe(false)
      expect(existsSync(entry)).toBe(false)
    },
  )

  test.runIf(process.platform !== 'linux')(
    'start at login is registered with the system',
    async () => {
      const calls = await opened.app.evaluateHandle(({ app }) => {
        const settings: Electron.Settings[] = []
        app.setLoginItemSettings = (wanted) => void settings.push(wanted)
        return settings
      })
      expect(await opened.page.evaluate(START_AT_LOGIN)).toMatchObject({ ok: true })
      expect(await calls.jsonValue()).toEqual([{ openAtLogin: true, args: ['--hidden'] }])
    },
  )

  test('has no developer tools', async () => {
    const { app } = opened
    expect((await menuItems(app)).map(({ role }) => role)).not.toContain('toggledevtools')
    const isOpen = () =>
      app.evaluate(({ webContents }) => {
        const [contents] = webContents.getAllWebContents()
        contents?.openDevTools()
        return contents?.isDevToolsOpened()
      })
    expect(await isOpen()).toBe(false)
  })
})

test('the app does not start at login during development', async () => {
  const opened = await openConsole()
  close = opened.close
  await opened.page.getByText('Server is running').waitFor()
  const config = await opened.app.evaluate(({ app }) => app.getPath('appData'))
  expect(await opened.page.evaluate(START_AT_LOGIN)).toMatchObject({ ok: true })
  expect(existsSync(join(config, 'autostart', 'tidegate.desktop'))).toBe(false)
})

test('at login, the server starts without a window, and the next start opens one', async () => {
  const userData = newUserData()
  const address = { host: '127.0.0.1', port: await freePort() }
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ address }))
  const app = await launch(userData, { args: ['--hidden'] })
  close = async () => {
    await app.close()
    rmSync(userData, { recursive: true, force: true })
  }
  await expect.poll(() => serverNames(app)).toContain('Tidegate server')
  expect(app.windows()).toHaveLength(0)
  const window = app.waitForEvent('window')
  await startAgain(app, userData)
  await (await window).getByText('Server is running').waitFor()
})

function serverNames(app: ElectronApplication): Promise<(string | undefined)[]> {
  return app.evaluate(({ app: it }) => it.getAppMetrics().map(({ name }) => name))
}
