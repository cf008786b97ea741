import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockDataFolder } from '../../src/server/storage/data-folder/lock.ts'
import { environment, newUserData, openConsole, type ReleaseConsole } from './support/console.ts'
import { killServer } from './support/desktop.ts'
import { isDouble, recordedBy } from './support/double.ts'

const root = resolve(import.meta.dirname, '../..')
let opened: ReleaseConsole | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

/** The page as main sees it: Playwright gives up a page that has crashed. */
function shownText(app: ElectronApplication): Promise<string> {
  return app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined || contents.isCrashed()) return 'crashed'
    return String(await contents.executeJavaScript('document.body.innerText'))
  })
}

describe('in one app', () => {
  let opened: ReleaseConsole
  beforeAll(async () => {
    opened = await openConsole()
  })
  beforeEach(() => expect.poll(() => shownText(opened.app)).toContain('Server is running'))
  afterAll(() => opened?.close())

  test('a page that crashes on load is reloaded at growing intervals, then a dialog asks', async () => {
    const { app } = opened
    const seen = await app.evaluateHandle(({ BrowserWindow, dialog }) => {
      const seen = { loads: 0, asked: [] as string[], answer: (_response: number) => {} }
      dialog.showMessageBox = (...args: object[]) => {
        seen.asked.push(String(Reflect.get(args.at(-1) ?? {}, 'message')))
        return new Promise((resolve) => {
          seen.answer = (response) => resolve({ response, checkboxChecked: false })
        })
      }
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      const crash = () => {
        seen.loads += 1
        if (seen.asked.length === 0) contents?.forcefullyCrashRenderer()
      }
      contents?.on('dom-ready', crash)
      contents?.forcefullyCrashRenderer()
      return seen
    })
    await expect
      .poll(() => seen.evaluate(({ asked }) => asked))
      .toEqual(['The console stopped working'])
    expect(await seen.evaluate(({ loads }) => loads)).toBe(3)
    expect(await shownText(app)).toBe('crashed')
    await seen.evaluate(({ answer }) => answer(0))
    await expect.poll(() => shownText(app)).toContain('Server is running')
  })

  test.runIf(isDouble)('a page that the system kills is reloaded', async () => {
    const { app } = opened
    const recorded = await recordedBy(app)
    const reason = app.evaluate(
      ({ BrowserWindow }) =>
        new Promise((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents
          contents?.once('render-process-gone', (_, { reason: how }) => resolve(how))
        }),
    )
    await recorded.evaluate(({ killPages }) => killPages())
    expect(await reason).toBe('killed')
    await expect.poll(() => shownText(app)).toContain('Server is running')
  })

  test.runIf(isDouble)('a late click on a notification shows the console', async () => {
    const { app } = opened
    const recorded = await recordedBy(app)
    const before = await recorded.evaluate((it) => it.notifications.length)
    await killServer(app)
    await expect.poll(() => recorded.evaluate((it) => it.notifications.length)).toBe(before + 1)
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
    await recorded.evaluate(({ notifications }) => notifications.at(-1)?.click())
    const isVisible = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.isVisible(),
    )
    expect(isVisible).toBe(true)
  })
})

test.runIf(isDouble)(
  'an invalid settings file is renamed, and a notification reports it',
  async () => {
    const userData = newUserData()
    mkdirSync(join(userData, 'data'))
    // The server would listen on the default port, which is not this test's.
    const lock = lockDataFolder(join(userData, 'data'))
    writeFileSync(join(userData, 'settings.json'), '{"address":')
    opened = await openConsole({ userData, keepSettings: true })
    const recorded = await recordedBy(opened.app)
    const titles = () => recorded.evaluate((it) => it.notifications.map(({ title }) => title))
    expect(await titles()).toContain('Settings were reset to defaults')
    expect(readFileSync(join(userData, 'settings.json.broken'), 'utf8')).toBe('{"address":')
    lock.release()
  },
)

describe.runIf(isDouble)('an app that cannot start', () => {
  let folder: string
  beforeEach(() => {
    folder = newUserData()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Starts it as a person does, and waits for its end. */
  function start(userData: string, ...args: string[]) {
    const electron = join(root, 'test/electron-double/electron')
    const env = environment({ TIDEGATE_USER_DATA: userData, HOME: folder })
    return spawnSync(electron, [root, ...args], { env, encoding: 'utf8', timeout: 120_000 })
  }

  test('reports unreadable settings, and exits', () => {
    const file = join(folder, 'settings.json')
    mkdirSync(file)
    const { status, stderr } = start(folder)
    expect(status).toBe(1)
    expect(stderr).toContain('Tidegate cannot start\n')
    expect(stderr).toContain(`The settings file ${file} cannot be read`)
  })

  test('reports a folder that cannot be created, and exits', () => {
    writeFileSync(join(folder, 'file'), '')
    const userData = join(folder, 'file', 'folder')
    const { status, stderr } = start(userData)
    expect(status).toBe(1)
    expect(stderr).toContain(`The folder ${userData} cannot be used`)
  })

  test('starts if its folder does not exist yet', () => {
    const userData = join(folder, 'not', 'yet')
    expect(start(userData, '--quit').status).toBe(0)
    expect(existsSync(userData)).toBe(true)
  })
})
