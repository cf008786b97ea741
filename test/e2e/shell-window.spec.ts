import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { newUserData, openConsole, type ReleaseConsole, startAgain } from './support/console.ts'
import { isShown } from './support/desktop.ts'

let opened: ReleaseConsole
afterEach(() => opened?.close())

const closeWindow = () =>
  opened.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
const place = () =>
  opened.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return { bounds: window?.getNormalBounds(), maximized: window?.isMaximized() }
  })
const ready = () => opened.page.getByText('Server is running').waitFor()
const again = async () => {
  await opened.quit()
  opened = await openConsole({ userData: opened.userData })
  await ready()
}

test('closing the window keeps the server, and a second start shows the window again', async () => {
  opened = await openConsole({ preferences: { closeToTray: true } })
  await ready()
  await closeWindow()
  await expect.poll(() => isShown(opened.app)).toBe(false)
  expect((await fetch(`${opened.address}/healthz`)).status).toBe(200)
  await startAgain(opened.app, opened.userData)
  await expect.poll(() => isShown(opened.app)).toBe(true)
  const windows = await opened.app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows().length,
  )
  expect(windows).toBe(1)
})

test('a window whose display is missing opens on an existing one, and then where it was, maximized if it was', async () => {
  const userData = newUserData()
  const gone = { x: 12_000, y: -4_000, width: 1_000, height: 700 }
  writeFileSync(join(userData, 'window.json'), JSON.stringify({ bounds: gone, maximized: false }))
  opened = await openConsole({ userData })
  await ready()
  const area = await opened.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)
  const { x = 0, y = 0, width = 0, height = 0 } = (await place()).bounds ?? {}
  expect({ width, height }).toEqual({ width: 1_000, height: 700 })
  expect(x).toBeGreaterThanOrEqual(area.x)
  expect(y).toBeGreaterThanOrEqual(area.y)
  expect(x + width).toBeLessThanOrEqual(area.x + area.width)
  expect(y + height).toBeLessThanOrEqual(area.y + area.height)

  const bounds = { x: 120, y: 90, width: 1_010, height: 720 }
  await opened.app.evaluate(({ BrowserWindow }, to) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(to)
  }, bounds)
  await again()
  expect(await place()).toEqual({ bounds, maximized: false })

  await opened.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize())
  await again()
  expect(await place()).toEqual({ bounds, maximized: true })
})
