import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type ConsoleOptions, openConsole, type ReleaseConsole } from './support/console.ts'
import { isShown } from './support/desktop.ts'
import { isDouble, type Recorded, recordedBy, setSystemDark } from './support/double.ts'
import { clickMenu } from './support/menu.ts'

const root = resolve(import.meta.dirname, '../..')
let opened: ReleaseConsole

async function openOn(platform: NodeJS.Platform, options: ConsoleOptions = {}) {
  const env = { ...options.env, ELECTRON_DOUBLE_PLATFORM: platform }
  opened = await openConsole({ ...options, env })
  await opened.page.getByText('Server is running').waitFor()
  return { ...opened, recorded: await recordedBy(opened.app) }
}

const closeWindow = () =>
  opened.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

// Each is about what Electron does on one platform, which the double does on any.
describe.runIf(isDouble)('on macOS', () => {
  afterEach(() => opened?.close())

  test('closing a window in full screen leaves it and hides the window, and a click on the tray opens its menu alone', async () => {
    const { app, recorded } = await openOn('darwin')
    const state = () =>
      app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        return { isFull: window?.isFullScreen(), isVisible: window?.isVisible() }
      })
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setFullScreen(true)
    })
    await expect.poll(state).toEqual({ isFull: true, isVisible: true })
    await closeWindow()
    await expect.poll(state).toEqual({ isFull: false, isVisible: false })
    expect(await recorded.evaluate(({ problems }) => problems)).toEqual([])

    await recorded.evaluate(({ trays }) => trays[0]?.click())
    expect(await recorded.evaluate(({ trays }) => trays[0]?.opened)).toBe(1)
    expect(await isShown(app)).toBe(false)
  })

  test('a menu command is kept while there is no window', async () => {
    const { app } = await openOn('darwin', { preferences: { closeToTray: false } })
    await closeWindow()
    // Main must know of it, not only Playwright: until then the page that closes would be asked.
    const windows = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    await expect.poll(windows).toBe(0)
    const window = app.waitForEvent('window')
    await clickMenu(app, 'API keys')
    await (await window).getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  })
})

describe.runIf(isDouble)('on Windows', () => {
  let recorded: Recorded
  beforeAll(async () => {
    recorded = (await openOn('win32', { env: { ELECTRON_FORCE_IS_PACKAGED: 'true' } })).recorded
  })
  afterAll(() => opened?.close())

  test('the app has the ID of its entry in the Start menu', async () => {
    const packaging = parse(readFileSync(resolve(root, 'build/electron-builder.yml'), 'utf8'))
    expect(await recorded.evaluate((it) => it.appUserModelId)).toBe(packaging.appId)
  })

  test('the tray icon follows the theme of the taskbar, not of the app', async () => {
    const { app } = opened
    const image = () => recorded.evaluate(({ trays }) => trays[0]?.image)
    const onLight = await image()
    await setSystemDark(app, true)
    await expect.poll(image).not.toBe(onLight)
    const onDark = await image()
    await app.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'light'
    })
    await setSystemDark(app, false)
    await expect.poll(image).toBe(onLight)
    await setSystemDark(app, true)
    await expect.poll(image).toBe(onDark)
  })
})

describe.runIf(isDouble)('on Linux', () => {
  let recorded: Recorded
  beforeAll(async () => {
    recorded = (await openOn('linux')).recorded
  })
  afterAll(() => opened?.close())

  test('the tray icon is the same on every panel', async () => {
    const image = () => recorded.evaluate(({ trays }) => trays[0]?.image)
    const first = await image()
    const updated = opened.app.evaluate(
      ({ nativeTheme }) => new Promise((done) => nativeTheme.once('updated', () => done(true))),
    )
    await setSystemDark(opened.app, true)
    await updated
    expect(await image()).toBe(first)
  })

  test('closing to the tray is off by default', async () => {
    const answer = await opened.page.evaluate(
      "window.tidegate.call({ type: 'query', path: 'shell.preferences', input: undefined })",
    )
    expect(answer).toMatchObject({ data: { closeToTray: false } })
  })

  test('nothing is downloaded for the spell checker', async () => {
    expect(await recorded.evaluate(({ downloads }) => downloads)).toEqual([])
  })
})
