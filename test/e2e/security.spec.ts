import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole()
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})
afterAll(() => opened?.close())

const inPage = (code: string) => opened.page.evaluate(code)
/** Where the window is, as the main process sees it. */
const windowUrls = () =>
  opened.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
  )

test('the page has the two functions of the bridge, and nothing of Node or Electron', async () => {
  expect(await inPage('Object.keys(window.tidegate).sort()')).toEqual(['call', 'subscribe'])
  for (const name of ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer']) {
    expect(await inPage(`typeof window.${name}`), name).toBe('undefined')
  }
})

test('the bridge answers the page, and refuses what is not a request', async () => {
  const call = (path: string, more = '') =>
    inPage(`window.tidegate.call({ type: 'query', path: '${path}', input: undefined${more} })`)
  expect(await call('overview.get')).toMatchObject({ ok: true })
  expect(await call('overview.get', ', extra: 1')).toMatchObject({ error: { code: 'invalid' } })
  expect(await call('no.such')).toMatchObject({ ok: false })
})

test('the page cannot be led elsewhere', async () => {
  const before = await windowUrls()
  for (const target of ['https://example.invalid/', 'file:///etc/passwd', 'data:text/html,hello']) {
    await inPage(`void (location.href = ${JSON.stringify(target)})`)
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await windowUrls()).toEqual(before)
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('the page opens no window; a web link goes to the browser of the machine, a file does not', async () => {
  const outside = await opened.app.evaluateHandle(({ shell }) => {
    const urls: string[] = []
    shell.openExternal = async (url) => void urls.push(url)
    return urls
  })
  expect(await inPage("window.open('https://example.invalid/docs')")).toBeNull()
  expect(await inPage("window.open('file:///etc/passwd')")).toBeNull()
  await expect.poll(() => outside.jsonValue()).toEqual(['https://example.invalid/docs'])
  expect(opened.app.windows()).toHaveLength(1)
})

test('a frame in the page has no bridge, wherever it comes from', async () => {
  const frames = ['about:blank', 'data:text/html,<p>foreign</p>', 'https://example.invalid/']
  for (const source of frames) {
    await inPage(`document.body.append(Object.assign(document.createElement('iframe'),
      { src: ${JSON.stringify(source)}, title: 'foreign' }))`)
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const frame of opened.page.frames().slice(1)) {
    expect(await frame.evaluate('typeof window.tidegate')).toBe('undefined')
  }
  expect(opened.page.frames().length).toBeGreaterThan(1)
})

test('scripts that the page was not built with do not run', async () => {
  await inPage(`document.body.append(Object.assign(document.createElement('script'),
    { textContent: 'window.injected = true' }))`)
  expect(await inPage('typeof window.injected')).toBe('undefined')
})

test('permissions are refused', async () => {
  const state = await inPage(
    "navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)",
  )
  expect(state).toBe('denied')
})

test('addresses of the app that lead out of its files are not found', async () => {
  const status = (path: string) =>
    opened.app.evaluate(
      ({ net }, url) => net.fetch(url).then((answer) => answer.status),
      `app://console/${path}`,
    )
  expect(await status('..%2f..%2fpackage.json')).toBe(404)
  expect(await status('index.html')).toBe(200)
})
