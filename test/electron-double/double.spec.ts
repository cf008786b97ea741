import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

const here = import.meta.dirname
const fixture = join(here, 'fixture')
const userData = mkdtempSync(join(tmpdir(), 'double-spec-'))
const env = {
  PATH: process.env.PATH ?? '',
  HOME: userData,
  FIXTURE_USER_DATA: join(userData, 'data'),
  ELECTRON_OVERRIDE_DIST_PATH: here,
}
let app: ElectronApplication
let page: Page

beforeAll(async () => {
  process.env.ELECTRON_OVERRIDE_DIST_PATH = here
  app = await _electron.launch({ args: [fixture], env })
  page = await app.firstWindow()
  await page.getByRole('heading', { name: 'Fixture' }).waitFor()
})

afterAll(async () => {
  await app?.close()
  rmSync(userData, { recursive: true, force: true })
})

/** The records of the fixture's main process. */
const seen = () => app.evaluate(() => Reflect.get(globalThis, 'seen') as string[])
const inPage = (code: string) => page.evaluate(code)

test('calls cross the bridge with their values, and say which frame they come from', async () => {
  const answer = await inPage(
    'api.who(new Map([[1n, new Date(0)]])).then((a) => [a, a.value.get(1n)])',
  )
  expect(answer).toEqual([
    expect.objectContaining({ origin: 'fixture://app', isMainFrame: true }),
    new Date(0),
  ])
})

test('a handler that is missing rejects', async () => {
  await expect(inPage('api.fail()')).rejects.toThrow("No handler registered for 'nobody answers'")
})

test('events and functions cross the bridge', async () => {
  await page.getByText('an event').waitFor()
  expect(await inPage('api.subscribe(() => {})()')).toBe('ended')
})

test('the page has nothing of Node or of the isolated world', async () => {
  const names = ['require', 'process', '__electronDoubleSend', '__electronDoubleDeliver']
  for (const name of names) expect(await inPage(`typeof window.${name}`)).toBe('undefined')
})

test('a frame in the page has no bridge', async () => {
  await inPage(`document.body.append(Object.assign(document.createElement('iframe'),
    { src: '/index.html', name: 'inner' }))`)
  await expect.poll(() => page.frame('inner')?.title()).toBe('Fixture')
  expect(await page.frame('inner')?.evaluate('typeof window.api')).toBe('undefined')
  await inPage("document.body.append(document.createElement('iframe'))")
  const origins = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.frames.map(({ origin }) => origin),
    )
  // A frame without its own document belongs to the page that created it.
  await expect.poll(origins).toEqual(['fixture://app', 'fixture://app'])
  await inPage("for (const frame of [...document.querySelectorAll('iframe')]) frame.remove()")
  await expect.poll(origins).toEqual([])
})

test('windows and navigation are the app’s to refuse', async () => {
  expect(await inPage("window.open('https://example.invalid/new')")).toBeNull()
  await page.getByRole('link', { name: 'Elsewhere' }).click({ noWaitAfter: true })
  await expect.poll(seen).toContain('navigate https://example.invalid/')
  expect(await seen()).toContain('open https://example.invalid/new')
  await page.getByRole('link', { name: 'New tab' }).click({ noWaitAfter: true })
  await expect.poll(seen).toContain('open https://example.invalid/tab')
  await expect.poll(() => app.windows().length).toBe(1)
  await page.getByRole('heading', { name: 'Fixture' }).waitFor()
})

test('the window has the size that was asked for, and takes another', async () => {
  expect(await inPage('[innerWidth, innerHeight]')).toEqual([900, 500])
  const window = await app.browserWindow(page)
  await window.evaluate((it) => it.setContentSize(1024, 700))
  await expect.poll(() => inPage('innerWidth')).toBe(1024)
})

test('a window that says no to closing stays', async () => {
  const window = await app.browserWindow(page)
  await window.evaluate((it) => it.close())
  expect(await window.evaluate((it) => it.isDestroyed())).toBe(false)
})

test('a page may object to being left, which the app may overrule', async () => {
  const outcome = await app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ show: false })
    const { webContents } = window
    await window.loadURL('fixture://app/index.html')
    await webContents.executeJavaScript(
      "addEventListener('beforeunload', (event) => event.preventDefault())",
    )
    let asked = 0
    const left = new Promise<string>((resolve) => {
      window.once('closed', () => resolve(`closed after ${asked}`))
    })
    webContents.on('will-prevent-unload', (event) => {
      asked += 1
      if (asked === 2) event.preventDefault()
      else setImmediate(() => window.close())
    })
    window.close()
    return await left
  })
  expect(outcome).toBe('closed after 2')
})

test('the theme reaches the page', async () => {
  await app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'dark'
  })
  await expect.poll(() => inPage("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true)
})

test('a page and a utility process talk over a port, until one of them closes it', async () => {
  await inPage('api.connect()')
  await expect.poll(() => inPage('api.received().length')).toBe(2)
  expect(await inPage('api.isPort()')).toBe(true)
  const pid = await app.evaluate(() => Reflect.get(globalThis, 'child').pid)
  expect(await inPage('api.received()[0].answer.get(1n)')).toEqual(new Date(0))
  expect(await inPage('api.received()[1]')).toEqual({ answer: 'two', pid })
  await inPage("api.post('three')")
  await inPage("api.post('close')")
  await expect
    .poll(() => inPage('api.received().slice(2)'))
    .toEqual([{ answer: 'three', pid }, 'closed'])
})

test('the ports of a page close with its document, and when the utility process ends', async () => {
  await inPage('api.connect()')
  await expect.poll(() => inPage('api.received().length')).toBe(6)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload())
  await expect.poll(seen).toContain('the page closed its port')
  const other = await app.evaluate(
    async ({ MessageChannelMain, utilityProcess }, script) => {
      const child = utilityProcess.fork(script, [], { stdio: 'ignore' })
      const { port1, port2 } = new MessageChannelMain()
      const { port1: late, port2: untaken } = new MessageChannelMain()
      const closed = new Promise((resolve) => port1.once('close', () => resolve('closed')))
      const message = new Promise((resolve) => port1.once('message', ({ data }) => resolve(data)))
      port1.start()
      port1.postMessage('one')
      child.postMessage('connect', [port2])
      const answer = await message
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      const outcome = [answer, await closed]
      // A process that has exited receives no port: the sender keeps it.
      child.postMessage('connect', [untaken])
      const lateClosed = new Promise((resolve) => late.once('close', () => resolve('closed too')))
      late.start()
      untaken.close()
      return [...outcome, await lateClosed]
    },
    join(fixture, 'child.js'),
  )
  expect(other).toEqual([{ answer: 'one', pid: expect.any(Number) }, 'closed', 'closed too'])
})

test('a utility process has values from its parent, and tells how it was killed', async () => {
  await expect.poll(seen).toContain('child has a date')
  await app.evaluate(() => process.kill(Reflect.get(globalThis, 'child').pid, 'SIGKILL'))
  await expect.poll(seen).toContain('exit 9')
})

test('a utility process outlives a rejection, and an exit overtakes what it just posted', async () => {
  const outcome = await app.evaluate(
    async ({ utilityProcess }, script) => {
      const child = utilityProcess.fork(script, [], { stdio: 'ignore' })
      const received: unknown[] = []
      child.on('message', (message) => received.push(message))
      await new Promise((spawned) => child.once('spawn', () => spawned(null)))
      child.postMessage('end')
      const code = await new Promise((ended) => child.once('exit', ended))
      return { code, received }
    },
    join(fixture, 'faulty-child.js'),
  )
  expect(outcome).toEqual({ code: 3, received: [] })
})

test('an error that nobody catches is shown, and the app goes on', async () => {
  await app.evaluate(() => {
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
  })
  const dialogs = () =>
    app.evaluate((electron) => JSON.stringify(Reflect.get(electron, 'recorded').dialogs))
  await expect.poll(dialogs).toContain('nobody catches this')
})

test('a second instance tells the first', async () => {
  const second = spawnSync(join(here, 'electron'), [fixture], { env, timeout: 120_000 })
  expect(second.status).toBe(7)
  await expect.poll(seen).toContain('second-instance')
})

test('what the double lacks is refused by name', async () => {
  const missing = app.evaluate(({ app: it }) => it.getGPUInfo('basic'))
  await expect(missing).rejects.toThrow('The Electron double has no App.getGPUInfo')
})

test('quitting leaves no process and no folder behind', async () => {
  const scratch = await app.evaluate(({ app: it }) => it.getPath('downloads'))
  const child = app.process()
  await app.close()
  expect(child.exitCode).toBe(0)
  expect(existsSync(join(scratch, '..'))).toBe(false)
})
