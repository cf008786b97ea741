import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { clickMenu } from './support/menu.ts'

const preload = resolve(import.meta.dirname, '../../out/preload/preload.cjs')
let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole()
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})
afterAll(() => opened?.close())

const inPage = (code: string) => opened.page.evaluate(code)
const ABOUT = "window.tidegate.call({ type: 'query', path: 'shell.about', input: undefined })"
const REFUSED = { code: 'internal', message: 'The request could not be passed on.' }

test('the bridge answers the page, and refuses what is not a request', async () => {
  const call = (path: string, more = '') =>
    inPage(`window.tidegate.call({ type: 'query', path: '${path}', input: undefined${more} })`)
  expect(await call('overview.get')).toMatchObject({ ok: true })
  expect(await call('overview.get', ', extra: 1')).toMatchObject({ error: { code: 'invalid' } })
  expect(await call('no.such')).toMatchObject({ ok: false })
  expect(await inPage(ABOUT)).toMatchObject({ ok: true })
})

test('another window with the same preload script and the same page is refused', async () => {
  const answers = await opened.app.evaluate(
    async ({ BrowserWindow }, { script, about }) => {
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload: script, sandbox: true },
      })
      await window.loadURL('app://console/index.html')
      const { webContents } = window
      const answer = [
        webContents.getURL(),
        await webContents.executeJavaScript('Object.keys(window.tidegate).sort()'),
        await webContents.executeJavaScript(about),
        await webContents.executeJavaScript(`new Promise((done) => window.tidegate.subscribe(
          { path: 'shell.serverState', input: undefined }, done))`),
      ]
      window.destroy()
      return answer
    },
    { script: preload, about: ABOUT },
  )
  expect(answers).toEqual([
    'app://console/index.html',
    ['call', 'subscribe'],
    { ok: false, error: REFUSED },
    { type: 'error', error: REFUSED },
  ])
})

test('a frame in the page has no bridge, wherever it comes from', async () => {
  const sources = ['about:blank', 'data:text/html,<p>foreign</p>', 'https://example.invalid/']
  for (const source of [...sources, 'app://console/index.html']) {
    await inPage(`new Promise((loaded) => {
      const frame = Object.assign(document.createElement('iframe'),
        { src: ${JSON.stringify(source)}, title: 'foreign' })
      frame.onload = loaded
      // A frame that the policy keeps empty need not load.
      document.addEventListener('securitypolicyviolation', loaded, { once: true })
      document.body.append(frame)
    })`)
  }
  const [, ...frames] = opened.page.frames()
  expect(frames).toHaveLength(4)
  for (const frame of frames) {
    expect(await frame.evaluate('typeof window.tidegate')).toBe('undefined')
  }
})

test('a message from a frame of the page is refused, although its origin is the console’s', async () => {
  await inPage(`document.body.append(Object.assign(document.createElement('iframe'),
    { src: 'about:blank', title: 'own' }))`)
  const origins = await opened.app.evaluate(({ BrowserWindow, ipcMain }) => {
    const sender = BrowserWindow.getAllWindows()[0]?.webContents
    // One more has gone by the time that its message is looked at.
    const frames = [...(sender?.mainFrame.frames ?? []), null]
    for (const senderFrame of frames) {
      for (let id = 0; id < 100; id++) {
        ipcMain.emit('tidegate:unsubscribe', { sender, senderFrame }, id)
      }
    }
    return frames.map((frame) => frame?.origin)
  })
  expect(origins).toContain('app://console')
  expect(origins).toContain(undefined)
  // The page's subscriptions are still there, the one to the menu among them.
  await clickMenu(opened.app, 'API keys')
  await opened.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
})

test('the page cannot have a file read as a backup that nobody chose', async () => {
  const file = join(opened.userData, 'settings.json')
  const ask = (path: string) =>
    inPage(`window.tidegate.call({ type: 'mutation', path: 'shell.${path}',
      input: { file: ${JSON.stringify(file)} } })`)
  const refused = { ok: false, message: expect.stringContaining('Choose a backup from the list') }
  expect(await ask('inspectBackup')).toEqual({ ok: true, data: refused })
  expect(await ask('restoreBackup')).toEqual({ ok: true, data: refused })
})
