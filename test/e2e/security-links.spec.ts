import type { JSHandle } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { openForAll } from './support/open-for-all.ts'
import { createApp, openPublishForm } from './support/steps.ts'

const opened = openForAll()
let outside: JSHandle<string[]>

beforeAll(async () => {
  await opened.page.getByText('Server is running').waitFor()
  outside = await opened.app.evaluateHandle(({ shell }) => {
    const urls: string[] = []
    shell.openExternal = async (url) => void urls.push(url)
    return urls
  })
})

const inPage = (code: string) => opened.page.evaluate(code)
/** Where the windows are, as the main process sees them. */
const windowUrls = () =>
  opened.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
  )
/** Addresses handed to the browser of the machine since the last look. */
const handedOver = () => outside.evaluate((urls) => urls.splice(0))

const NOT_OF_THE_WEB = [
  'file:///etc/passwd',
  'data:text/html,hello',
  'javascript:void(0)',
  'vbscript:hello',
  'smb://machine/share',
  'ms-settings:privacy',
  'app://console/index.html',
  'https://name:password@example.invalid/',
]

test('the page cannot be navigated away', async () => {
  const before = await windowUrls()
  const attempts = await opened.app.evaluateHandle(({ BrowserWindow }) => {
    const urls: string[] = []
    const [window] = BrowserWindow.getAllWindows()
    window?.webContents.on('will-navigate', ({ url }) => urls.push(url))
    return urls
  })
  const last = 'https://example.invalid/last'
  const targets = ['https://example.invalid/', 'file:///etc/passwd', 'data:text/html,hello', last]
  for (const target of targets) {
    await inPage(`void (location.href = ${JSON.stringify(target)})`)
    await inPage(`document.body.append(Object.assign(document.createElement('a'),
      { href: ${JSON.stringify(target)}, id: 'away' })), document.getElementById('away').click(),
      document.getElementById('away').remove()`)
  }
  // The page asks for one navigation after the other: whoever saw the last has seen them all.
  await expect.poll(() => attempts.jsonValue()).toContain(last)
  expect(await windowUrls()).toEqual(before)
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await handedOver()).toEqual([])
})

test('the page opens no window; only web links open in the system browser', async () => {
  for (const address of [...NOT_OF_THE_WEB, 'https://example.invalid/docs']) {
    expect(await inPage(`window.open(${JSON.stringify(address)})`)).toBeNull()
  }
  await expect.poll(() => outside.jsonValue()).toContain('https://example.invalid/docs')
  expect(await handedOver()).toEqual(['https://example.invalid/docs'])
  expect(opened.app.windows()).toHaveLength(1)
})

test('links that the page asks to open are checked as well', async () => {
  const open = (url: string) =>
    inPage(`window.tidegate.call({ type: 'mutation', path: 'shell.openExternal',
      input: { url: ${JSON.stringify(url)} } })`)
  for (const url of NOT_OF_THE_WEB) {
    expect(await open(url), url).toEqual({ ok: true, data: { opened: false } })
  }
  expect(await open('http://example.invalid/')).toEqual({ ok: true, data: { opened: true } })
  expect(await handedOver()).toEqual(['http://example.invalid/'])
})

test('release notes link only to the web, and load no images', async () => {
  const { page } = opened
  await createApp(opened)
  await openPublishForm(opened)
  const links = NOT_OF_THE_WEB.slice(0, -1).map((url, n) => `[link ${n}](${url})`)
  const html = '<a href="javascript:void(0)">html</a> <img src="https://example.invalid/p.png">'
  const notes = [
    ...links,
    '[docs](https://example.invalid/docs)',
    '![alt](https://x.invalid/)',
    html,
  ]
  await page.getByRole('textbox', { name: 'Release notes' }).fill(notes.join('\n\n'))
  await page.getByText('Preview', { exact: true }).click()
  const preview = page.getByRole('region', { name: 'Preview of the release notes' })
  await preview.getByText('link 0').waitFor()
  const addresses = await preview
    .locator('a')
    .evaluateAll((all) => all.map((it) => it.getAttribute('href')))
  expect(addresses).toEqual(['https://example.invalid/docs'])
  expect(await preview.locator('img').count()).toBe(0)
  for (const [n] of links.entries()) await preview.getByText(`link ${n}`).click()
  await preview.getByRole('link', { name: 'docs' }).click()
  await expect.poll(handedOver).toEqual(['https://example.invalid/docs'])
  expect(opened.app.windows()).toHaveLength(1)
})
