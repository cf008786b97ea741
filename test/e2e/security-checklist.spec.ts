import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { isDouble, recordedBy } from './support/double.ts'
import { openForAll } from './support/open-for-all.ts'

const root = resolve(import.meta.dirname, '../..')
const opened = openForAll()

beforeAll(async () => {
  await opened.page.getByText('Server is running').waitFor()
})

const inPage = (code: string) => opened.page.evaluate(code)

/** What the console's window was made with. Electron fills in its defaults. */
async function webPreferences(): Promise<Record<string, unknown>> {
  const preferences = await opened.app.evaluate(({ BrowserWindow }) => {
    const all = BrowserWindow.getAllWindows().map(({ webContents }): unknown =>
      Reflect.get(webContents, 'getLastWebPreferences').call(webContents),
    )
    return all.length === 1 ? all[0] : `${all.length} windows`
  })
  return z.record(z.string(), z.unknown()).parse(preferences)
}

const hasSwitch = (name: string) =>
  opened.app.evaluate(({ app }, it) => app.commandLine.hasSwitch(it), name)

/** Which of these events of the page the app prevents. */
const prevented = (...events: string[]) =>
  opened.app.evaluate(({ webContents }, names) => {
    const [contents] = webContents.getAllWebContents()
    return names.filter((name) => {
      let isPrevented = false
      const url = 'https://example.invalid/'
      const event = { url, isMainFrame: true, preventDefault: () => (isPrevented = true) }
      contents?.emit(name, event, url)
      return isPrevented
    })
  }, events)

const answerOf = (url: string) =>
  opened.app.evaluate(async ({ net }, address) => {
    const answer = await net.fetch(address)
    return { status: answer.status, policy: answer.headers.get('content-security-policy') }
  }, url)

/** The addresses that the app has the system open from now on. */
const openedOutside = () =>
  opened.app.evaluateHandle(({ shell }) => {
    const urls: string[] = []
    shell.openExternal = async (url) => void urls.push(url)
    return urls
  })

/** Every item of Electron's list, in its order, by the name that the README of src/main has for it. */
const checklist: Readonly<Record<string, () => Promise<void>>> = {
  async 'Only load secure content'() {
    const loaded = await inPage(
      `[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
        .filter((address) => !address.startsWith(location.origin + '/'))`,
    )
    expect(loaded).toEqual([])
    expect(await inPage("fetch('http://127.0.0.1:1/').catch(({ name }) => name)")).toBe('TypeError')
  },

  async 'No Node.js integration for remote content'() {
    expect(await webPreferences()).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
    })
    const names = ['require', 'process', 'module', 'exports', 'Buffer', 'global', 'setImmediate']
    for (const name of [...names, '__dirname', 'electron', 'ipcRenderer', 'contextBridge']) {
      expect(await inPage(`typeof window.${name}`), name).toBe('undefined')
    }
  },

  async 'Context isolation'() {
    expect(await webPreferences()).toMatchObject({ contextIsolation: true })
    // What the page does to its own world does not reach the preload script's.
    await inPage(
      "{ Promise.prototype.then_ = 1; String.prototype.startsWith = () => { throw 'mine' } }",
    )
    const call = "window.tidegate.call({ type: 'query', path: 'shell.about', input: undefined })"
    expect(await inPage(call)).toMatchObject({ ok: true })
    await opened.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.reload(),
    )
    await expect.poll(() => inPage('typeof Promise.prototype.then_')).toBe('undefined')
    await opened.page.getByText('Server is running').waitFor()
  },

  async 'Process sandboxing'() {
    expect(await webPreferences()).toMatchObject({ sandbox: true })
    expect(await hasSwitch('enable-sandbox')).toBe(true)
    if (isDouble) expect(await hasSwitch('no-sandbox')).toBe(false)
  },

  async 'Handle permission requests'() {
    const names = ['geolocation', 'notifications', 'clipboard-read', 'midi']
    const query = `Promise.all(${JSON.stringify(names)}.map((name) =>
      navigator.permissions.query({ name }).then(({ state }) => state)))`
    expect(await inPage(query)).toEqual(names.map(() => 'denied'))
    expect(await inPage('Notification.requestPermission()')).toBe('denied')
    const located = `new Promise((resolve) => navigator.geolocation.getCurrentPosition(
      () => resolve('found'), ({ code }) => resolve(code)))`
    const PERMISSION_DENIED = 1
    expect(await inPage(located)).toBe(PERMISSION_DENIED)
    const read = "navigator.clipboard.readText().then(() => 'read', ({ name }) => name)"
    expect(await inPage(read)).toBe('NotAllowedError')
  },

  async 'Do not disable `webSecurity`'() {
    expect(await webPreferences()).toMatchObject({ webSecurity: true })
    expect(await hasSwitch('disable-web-security')).toBe(false)
  },

  async 'Content-Security-Policy'() {
    const { status, policy } = await answerOf('app://console/index.html')
    expect(status).toBe(200)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|\*|https?:/)
    const ran = `(() => {
      const textContent = 'window.ran = true'
      document.body.append(Object.assign(document.createElement('script'), { textContent }))
      return typeof window.ran
    })()`
    expect(await inPage(ran)).toBe('undefined')
  },

  async 'No `allowRunningInsecureContent`'() {
    expect(await webPreferences()).toMatchObject({ allowRunningInsecureContent: false })
    expect(await hasSwitch('allow-running-insecure-content')).toBe(false)
  },

  async 'No experimental features'() {
    expect(await webPreferences()).toMatchObject({ experimentalFeatures: false })
    expect(await hasSwitch('enable-experimental-web-platform-features')).toBe(false)
  },

  async 'No `enableBlinkFeatures`'() {
    const { enableBlinkFeatures = '' } = await webPreferences()
    expect(enableBlinkFeatures).toBe('')
    expect(await hasSwitch('enable-blink-features')).toBe(false)
  },

  async 'No `allowpopups` for webviews'() {
    expect(await webPreferences()).toMatchObject({ webviewTag: false })
    const element = `(() => {
      const it = document.createElement('webview')
      it.src = 'https://example.invalid/'
      document.body.append(it)
      return [it.constructor.name, typeof it.loadURL, typeof it.getWebContentsId]
    })()`
    const [name, ...methods] = z.array(z.string()).parse(await inPage(element))
    expect(['HTMLElement', 'HTMLUnknownElement']).toContain(name)
    expect(methods).toEqual(['undefined', 'undefined'])
  },

  async 'Verify webview options'() {
    expect(await prevented('will-attach-webview')).toEqual(['will-attach-webview'])
  },

  async 'Limit navigation'() {
    const events = ['will-navigate', 'will-frame-navigate', 'will-redirect']
    expect(await prevented(...events)).toEqual(events)
  },

  async 'Limit new windows'() {
    const outside = await openedOutside()
    expect(await inPage("window.open('https://example.invalid/new')")).toBeNull()
    await expect.poll(() => outside.jsonValue()).toEqual(['https://example.invalid/new'])
    expect(opened.app.windows()).toHaveLength(1)
    if (!isDouble) return
    // It opens no window even if the app allows one, and keeps a note of that.
    const recorded = await recordedBy(opened.app)
    expect(await recorded.evaluate(({ problems }) => problems)).toEqual([])
  },

  async 'No `openExternal` with untrusted content'() {
    const outside = await openedOutside()
    for (const url of ['file:///etc/passwd', 'smb://machine/share', 'https://example.invalid/']) {
      await inPage(`window.tidegate.call({ type: 'mutation', path: 'shell.openExternal',
        input: { url: ${JSON.stringify(url)} } })`)
    }
    expect(await outside.jsonValue()).toEqual(['https://example.invalid/'])
  },

  async 'A current version of Electron'() {
    const version = manifest.devDependencies.electron
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const runs = await opened.app.evaluate(() => process.versions.electron)
    expect(runs).toBe(isDouble ? 'double' : version)
  },

  async 'Validate the sender of IPC messages'() {
    const outcomes = await opened.app.evaluate(({ BrowserWindow, ipcMain }) => {
      const [window] = BrowserWindow.getAllWindows()
      const main = window?.webContents.mainFrame
      const outcome = (sender: object | undefined, origin: string | undefined, parent: unknown) => {
        let answer = 'none'
        const postMessage = (_: string, offer: { outcome: string }) => (answer = offer.outcome)
        const senderFrame = { origin, parent, postMessage }
        ipcMain.emit('tidegate:connect', { sender, senderFrame }, 'shell')
        return answer
      }
      return [
        outcome({}, main?.origin, null),
        outcome(window?.webContents, main?.origin, main),
        outcome(window?.webContents, 'https://example.invalid', null),
      ]
    })
    expect(outcomes).toEqual(['refused', 'refused', 'refused'])
  },

  async 'Custom protocol instead of `file:`'() {
    const url = await opened.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    )
    expect(url).toMatch(/^app:\/\/console\//)
    for (const path of ['..%2fpackage.json', '%2e%2e/%2e%2e/package.json', '..%5cpackage.json']) {
      expect((await answerOf(`app://console/${path}`)).status, path).toBe(404)
    }
  },

  // Of a packaged app; `npm run package:check` reads them from the binary.
  async Fuses() {
    const builder = parse(readFileSync(join(root, 'build/electron-builder.yml'), 'utf8'))
    expect(builder.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
  },

  async 'No Electron APIs for untrusted content'() {
    const api = "Object.entries(window.tidegate).map(([name, it]) => name + ' ' + typeof it).sort()"
    expect(await inPage(api)).toEqual(['call function', 'subscribe function'])
  },
}

test.each(Object.entries(checklist))('%s', async (_, holds) => {
  await holds()
})

describe('the table in the README', () => {
  const rows = readFileSync(join(root, 'src/main/README.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))

  test('has every item that is tested here, numbered as in Electron’s list', () => {
    const items = Object.keys(checklist)
    expect(items).toHaveLength(20)
    expect(rows.map(([number, item]) => [number, item])).toEqual(
      items.map((item, n) => [String(n + 1), item]),
    )
  })

  test.each(rows)('%s, %s, names files that exist', (_number, _item, _how, where = '') => {
    const files = [...where.matchAll(/`([^`]+)`/g)].flatMap(([, file]) => file ?? [])
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  })
})
