import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openForAll } from './support/open-for-all.ts'

const preload = resolve(import.meta.dirname, '../../out/preload/preload.cjs')
const opened = openForAll()

beforeAll(async () => {
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})

const inPage = (code: string) => opened.page.evaluate(code)
const ABOUT = "window.tidegate.call({ type: 'query', path: 'shell.about', input: undefined })"
const OVERVIEW = "window.tidegate.call({ type: 'query', path: 'overview.get', input: undefined })"
const REFUSED = { code: 'internal', reason: 'not_passed_on' }

test('the bridge answers the page, and rejects malformed requests', async () => {
  const call = (path: string, more = '') =>
    inPage(`window.tidegate.call({ type: 'query', path: '${path}', input: undefined${more} })`)
  expect(await call('overview.get')).toMatchObject({ ok: true })
  expect(await call('overview.get', ', extra: 1')).toMatchObject({ error: { code: 'invalid' } })
  expect(await call('no.such')).toMatchObject({ ok: false })
  expect(await inPage(ABOUT)).toMatchObject({ ok: true })
})

test('the page cannot replace its bridge', async () => {
  await inPage(`try { window.tidegate = { call: () => 'mine' } } catch {}
    try { window.tidegate.call = () => 'mine' } catch {}`)
  expect(await inPage(ABOUT)).toMatchObject({ ok: true })
})

test('another window with the same preload script and page is rejected', async () => {
  const answers = await opened.app.evaluate(
    async ({ BrowserWindow }, { script, about, overview }) => {
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
        await webContents.executeJavaScript(overview),
        await webContents.executeJavaScript(`new Promise((done) => window.tidegate.subscribe(
          { path: 'shell.serverState', input: undefined }, done))`),
      ]
      window.destroy()
      return answer
    },
    { script: preload, about: ABOUT, overview: OVERVIEW },
  )
  expect(answers).toEqual([
    'app://console/index.html',
    ['call', 'subscribe'],
    { ok: false, error: REFUSED },
    { ok: false, error: REFUSED },
    { type: 'error', error: REFUSED },
  ])
})

test('a frame in the page has no bridge, whatever its origin', async () => {
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

test('only the main frame of the console gets a port, and only for the document that asked', async () => {
  await inPage(`for (const frame of document.querySelectorAll('iframe')) frame.remove()
    document.body.append(Object.assign(document.createElement('iframe'),
    { src: 'about:blank', title: 'own' }))`)
  const frames = () =>
    opened.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.frames.map(({ origin }) => origin),
    )
  // Main hears of frames a moment after the page has them.
  await expect.poll(frames).toEqual(['app://console'])
  const offers = await opened.app.evaluate(async ({ BrowserWindow, ipcMain }) => {
    const sender = BrowserWindow.getAllWindows()[0]?.webContents
    const main = sender?.mainFrame
    const offered: { to: string; message: object; ports: number }[] = []
    const lastOffer = Promise.withResolvers<void>()
    /** A frame as main sees it, but for what it is sent. */
    const frame = (to: string, origin: string | undefined, parent: unknown) => ({
      origin,
      parent,
      postMessage(_channel: string, message: object, ports: readonly { close(): void }[] = []) {
        offered.push({ to, message, ports: ports.length })
        for (const port of ports) port.close()
        if (to === 'the console') lastOffer.resolve()
      },
    })
    const ask = (senderFrame: object | null | undefined) =>
      ipcMain.emit('tidegate:connect', { sender, senderFrame }, 'server')
    for (const child of main?.frames ?? []) {
      ask(frame(`a frame of ${child.origin}`, child.origin, child.parent))
    }
    ask(frame('elsewhere', 'https://example.invalid', null))
    ask(null)
    for (const after of [null, frame('another document', 'https://example.invalid', null)]) {
      const event = { sender, senderFrame: frame('gone', main?.origin, main?.parent) }
      ipcMain.emit('tidegate:connect', event, 'server')
      // Before the port is there.
      Object.assign(event, { senderFrame: after })
    }
    ipcMain.emit('tidegate:connect', { sender, senderFrame: main }, 'no such target')
    ask(frame('the console', main?.origin, main?.parent))
    await lastOffer.promise
    return offered
  })
  const refused = { message: { target: 'server', outcome: 'refused' }, ports: 0 }
  expect(offers).toEqual([
    { to: 'a frame of app://console', ...refused },
    { to: 'elsewhere', ...refused },
    { to: 'the console', message: { target: 'server', outcome: 'connected' }, ports: 1 },
  ])
})

test('the calls of a page that has its ports do not pass through the main process', async () => {
  expect(await inPage(OVERVIEW)).toMatchObject({ ok: true })
  const passed = await opened.app.evaluateHandle(({ ipcMain }) => {
    const channels: string[] = []
    const { emit } = ipcMain
    ipcMain.emit = (channel, ...args) => {
      channels.push(String(channel))
      return emit.call(ipcMain, channel, ...args)
    }
    return channels
  })
  expect(await inPage(OVERVIEW)).toMatchObject({ ok: true })
  expect(await inPage(ABOUT)).toMatchObject({ ok: true })
  expect(await passed.jsonValue()).toEqual([])
})

test('the page cannot read a file as a backup unless a person chose it', async () => {
  const file = join(opened.userData, 'settings.json')
  const ask = (path: string) =>
    inPage(`window.tidegate.call({ type: 'mutation', path: 'shell.${path}',
      input: { file: ${JSON.stringify(file)} } })`)
  const refused = { ok: false, problem: { code: 'not_chosen' } }
  expect(await ask('inspectBackup')).toEqual({ ok: true, data: refused })
  expect(await ask('restoreBackup')).toEqual({ ok: true, data: refused })
})

test('only one dialog is open at a time, however it closes', async () => {
  const dialogs = await opened.app.evaluateHandle(({ dialog }) => {
    const asked: { end(chosen: string | null): void }[] = []
    dialog.showOpenDialog = () =>
      new Promise((resolve, reject) => {
        const end = (chosen: string | null) =>
          chosen === null
            ? reject(new Error('closed by the system'))
            : resolve({ canceled: false, filePaths: [chosen] })
        asked.push({ end })
      })
    return asked
  })
  const asked = () => dialogs.evaluate(({ length }) => length)
  const end = (chosen: string | null) =>
    dialogs.evaluate((it, path) => it.at(-1)?.end(path), chosen)
  const choose = () => ({
    answer: inPage(
      "window.tidegate.call({ type: 'mutation', path: 'shell.chooseFolder', input: { kind: 'backups' } })",
    ),
  })
  const first = choose()
  await expect.poll(asked).toBe(1)
  expect(await choose().answer).toEqual({ ok: true, data: { path: null } })
  expect(await asked()).toBe(1)
  await end('/chosen')
  expect(await first.answer).toEqual({ ok: true, data: { path: '/chosen' } })
  const second = choose()
  await expect.poll(asked).toBe(2)
  await end(null)
  expect(await second.answer).toMatchObject({ ok: false, error: { code: 'internal' } })
  const third = choose()
  await expect.poll(asked).toBe(3)
  await end('/again')
  expect(await third.answer).toEqual({ ok: true, data: { path: '/again' } })
})
