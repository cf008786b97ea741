import type { MessageBoxSyncOptions } from 'electron'
import type { JSHandle } from 'playwright'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { startOver } from './support/console.ts'
import { ended, isShown } from './support/desktop.ts'
import { clickMenu } from './support/menu.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, openPublishForm } from './support/steps.ts'

interface Question {
  readonly options: MessageBoxSyncOptions
  /** Whether the person can see what the question is about. */
  readonly overWindow: boolean
}

const opened = openForAll({ preferences: { closeToTray: true } })
let asked: JSHandle<Question[]>

beforeAll(async () => {
  await createApp(opened)
  asked = await opened.app.evaluateHandle(() => [])
})
beforeEach(async () => {
  await opened.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show())
  await startOver(opened)
  await openPublishForm(opened)
  await press('Cancel')
})

/** From now on the person presses this button; what was asked before is forgotten. */
const press = (wanted: string) =>
  opened.app.evaluate(
    ({ dialog }, { questions, button }) => {
      questions.length = 0
      dialog.showMessageBoxSync = (...args: unknown[]) => {
        const [window, options] = args as [Electron.BrowserWindow, MessageBoxSyncOptions]
        questions.push({ options, overWindow: window.isVisible() })
        return options.buttons?.indexOf(button) ?? -1
      }
    },
    { questions: asked, button: wanted },
  )
const questions = () => asked.jsonValue()
const close = () =>
  opened.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
const quit = () => opened.app.evaluate(({ app }) => app.quit())
const version = () => opened.page.getByRole('textbox', { name: 'Version' })

/** Types into the form what would be lost. */
async function type(): Promise<void> {
  await version().click()
  await opened.page.keyboard.type('3.0.0')
}

test('leaving an empty form does not ask', async () => {
  // The heading is there before as well: what is typed too early would be gone.
  const loaded = opened.page.waitForEvent('load')
  await clickMenu(opened.app, 'reload')
  await loaded
  await opened.page.getByRole('heading', { level: 1, name: 'Publish a release' }).waitFor()
  expect(await questions()).toEqual([])
})

test('closing to the tray does not ask, and loses nothing', async () => {
  await type()
  await close()
  await expect.poll(() => isShown(opened.app)).toBe(false)
  expect(await questions()).toEqual([])
})

test('quitting asks once in a visible dialog, and the form is kept', async () => {
  await type()
  await close()
  await expect.poll(() => isShown(opened.app)).toBe(false)
  await quit()
  await expect.poll(async () => (await questions()).length).toBe(1)
  const [{ options, overWindow } = { options: null, overWindow: false }] = await questions()
  expect(overWindow).toBe(true)
  expect(options).toMatchObject({
    message: 'Discard unsaved changes?',
    buttons: ['Discard', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  })
  expect(await version().inputValue()).toBe('3.0.0')
  expect((await fetch(`${opened.address}/healthz`)).status).toBe(200)
})

test('after a canceled quit, closing hides the window in the tray as before', async () => {
  await type()
  await quit()
  await expect.poll(async () => (await questions()).length).toBe(1)
  await close()
  await expect.poll(() => isShown(opened.app)).toBe(false)
  expect(await questions()).toHaveLength(1)
})

test('reloading the page asks as well', async () => {
  await type()
  await clickMenu(opened.app, 'reload')
  await expect.poll(async () => (await questions()).length).toBe(1)
  expect(await version().inputValue()).toBe('3.0.0')
})

// The last: the app has ended then.
test('discarding the release quits the app after one question', async () => {
  await type()
  await press('Discard')
  const end = ended(opened.app)
  await quit().catch(() => {})
  expect(await end).toBe(0)
})
