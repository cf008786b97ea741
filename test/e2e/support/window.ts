import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inBrowser, type ReleaseConsole, type Screen } from './console.ts'
import { clickMenu } from './menu.ts'
import { goToAddress } from './release-console.ts'

/** Makes the page so large, in CSS pixels. */
export async function resize(opened: ReleaseConsole, width: number, height: number): Promise<void> {
  const { page } = opened
  if (inBrowser) await page.setViewportSize({ width, height })
  else {
    await opened.app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size),
      [width, height] as const,
    )
  }
  await page.waitForFunction((wanted) => innerWidth === wanted, width)
}

/** Where a screen is, for who types its address. */
const ADDRESSES: Partial<Readonly<Record<Screen, string>>> = { 'Audit log': '#/audit' }

/** Goes to a screen past an open dialog: by the menu of the app, or in a browser by its address. */
export async function goPastDialog(opened: ReleaseConsole, screen: Screen): Promise<void> {
  if (!inBrowser) return await clickMenu(opened.app, screen)
  await goToAddress(opened.page, ADDRESSES[screen] ?? '')
}

/** Does what saves a file; returns its text and what the page calls it. A browser saves it as a download. */
export async function savedFile(
  opened: ReleaseConsole,
  name: string,
  act: () => Promise<void>,
): Promise<{ readonly text: string; readonly shown: string }> {
  if (inBrowser) {
    const [download] = await Promise.all([opened.page.waitForEvent('download'), act()])
    return {
      text: readFileSync(await download.path(), 'utf8'),
      shown: download.suggestedFilename(),
    }
  }
  const filePath = join(opened.userData, name)
  await opened.app.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: path })
  }, filePath)
  await act()
  await opened.page.getByText(filePath).waitFor()
  return { text: readFileSync(filePath, 'utf8'), shown: filePath }
}
