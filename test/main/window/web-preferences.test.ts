import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { webPreferences } from '../../../src/main/window/web-preferences.ts'

const folder = resolve('src/main')
const sources = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
)
const using = (text: RegExp) => [...sources].filter(([, code]) => text.test(code)).map(([it]) => it)

test.each([true, false])('the page is shut in, packaged: %s', (isPackaged) => {
  // All of it: what is not named here, such as Blink features, is not set at all.
  expect(webPreferences(isPackaged)).toEqual({
    preload: expect.stringMatching(/preload\.cjs$/),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    devTools: !isPackaged,
    spellcheck: process.platform === 'darwin',
  })
})

test('one window is made, and its page has these preferences and no other', () => {
  expect(using(/new (BrowserWindow|BaseWindow|WebContentsView|BrowserView)\b/)).toEqual([
    'window/window.ts',
  ])
  expect(sources.get('window/window.ts')).toContain(
    'webPreferences: webPreferences(app.isPackaged)',
  )
  expect(using(/webPreferences\s*:/)).toEqual(['window/window.ts'])
})

test('every process of a page is sandboxed, and no switch of Chromium opens one', () => {
  expect(sources.get('index.ts')).toMatch(/^\s*app\.enableSandbox\(\)$/m)
  expect(using(/appendSwitch|appendArgument|no-sandbox|disable-web-security/)).toEqual([])
})
