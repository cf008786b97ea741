import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { menuItems } from './support/menu.ts'
import { openForAll } from './support/open-for-all.ts'

const opened = openForAll()

beforeAll(async () => {
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})

const inPage = (code: string) => opened.page.evaluate(code)

test('the page has only the two functions of the bridge, and nothing from Node or Electron', async () => {
  expect(await inPage('Object.keys(window.tidegate).sort()')).toEqual(['call', 'subscribe'])
  const names = ['require', 'process', 'module', 'exports', 'Buffer', 'global', 'setImmediate']
  for (const name of [...names, '__dirname', 'electron', 'ipcRenderer', 'contextBridge']) {
    expect(await inPage(`typeof window.${name}`), name).toBe('undefined')
  }
})

test('the page cannot replace its bridge', async () => {
  await inPage(`try { window.tidegate = { call: () => 'mine' } } catch {}
    try { window.tidegate.call = () => 'mine' } catch {}`)
  const call = "window.tidegate.call({ type: 'query', path: 'shell.about', input: undefined })"
  expect(await inPage(call)).toMatchObject({ ok: true })
})

test('permission requests are denied', async () => {
  for (const name of ['geolocation', 'notifications', 'clipboard-read', 'midi']) {
    const query = `navigator.permissions.query({ name: '${name}' }).then(({ state }) => state)`
    expect(await inPage(query), name).toBe('denied')
  }
  expect(await inPage('Notification.requestPermission()')).toBe('denied')
  const located = `new Promise((resolve) => navigator.geolocation.getCurrentPosition(
    () => resolve('found'), ({ code }) => resolve(code)))`
  const PERMISSION_DENIED = 1
  expect(await inPage(located)).toBe(PERMISSION_DENIED)
  const read = "navigator.clipboard.readText().then(() => 'read', ({ name }) => name)"
  expect(await inPage(read)).toBe('NotAllowedError')
})

test('a webview element has no effect', async () => {
  const element = `(() => {
    const it = document.createElement('webview')
    it.src = 'https://example.invalid/'
    document.body.append(it)
    return [it.constructor.name, typeof it.loadURL, typeof it.getWebContentsId]
  })()`
  const [name, ...methods] = z.array(z.string()).parse(await inPage(element))
  expect(['HTMLElement', 'HTMLUnknownElement']).toContain(name)
  expect(methods).toEqual(['undefined', 'undefined'])
  const prevented = await opened.app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      let refused = false
      const event = { preventDefault: () => (refused = true) }
      contents.emit('will-attach-webview', event, {}, {})
      return refused
    }),
  )
  expect(prevented).toEqual([true])
})

// A packaged app has none: shell-login.spec.ts.
test('developer tools are available during development', async () => {
  expect((await menuItems(opened.app)).map(({ role }) => role)).toContain('toggledevtools')
})
