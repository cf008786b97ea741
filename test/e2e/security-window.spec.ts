import { afterEach, expect, test } from 'vitest'
import { webPreferences } from '../../src/main/window/web-preferences.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { isDouble, recordedBy } from './support/double.ts'

let opened: ReleaseConsole
afterEach(() => opened?.close())

/** What each page of the app may do, whatever shows it. */
const pages = () =>
  opened.app.evaluate(({ webContents }) =>
    webContents
      .getAllWebContents()
      .map((page): object => Reflect.get(page, 'getLastWebPreferences').call(page)),
  )

/** All of it on the double. Electron adds its defaults. */
function expectOnePage(found: readonly object[], platform: string = process.platform) {
  const preload = expect.stringMatching(/preload\.cjs$/)
  const only = { ...webPreferences(false), preload, spellcheck: platform === 'darwin' }
  if (isDouble) expect(found).toEqual([only])
  else expect(found).toEqual([expect.objectContaining(only)])
}

test('the app has one page, with only the permissions that the console needs', async () => {
  opened = await openConsole()
  await opened.page.getByText('Server is running').waitFor()
  expectOnePage(await pages())
  if (isDouble) {
    // Chromium gets no switch but the one that sandboxes every page.
    const recorded = await recordedBy(opened.app)
    expect(await recorded.evaluate(({ switches }) => switches)).toEqual(['enable-sandbox'])
  }
  for (const path of ['/fleet', '/settings']) {
    await opened.page.evaluate((to) => window.location.assign(to), path)
    await opened.page.getByRole('main').waitFor()
  }
  expectOnePage(await pages())
})

// Only a Mac keeps an app without a window.
test.runIf(isDouble)('the same applies after the window was closed and reopened', async () => {
  opened = await openConsole({ env: { ELECTRON_DOUBLE_PLATFORM: 'darwin' } })
  await opened.page.getByText('Server is running').waitFor()
  await opened.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy())
  await expect.poll(pages).toEqual([])
  await opened.app.evaluate(({ app }) => app.emit('activate'))
  await expect.poll(() => pages().then(({ length }) => length)).toBe(1)
  expectOnePage(await pages(), 'darwin')
})
