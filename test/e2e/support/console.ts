import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication } from 'playwright'
import { freePort } from '../../support/processes/ports.ts'
import { openInBrowser } from './browser.ts'
import {
  type ConsoleOptions,
  environment,
  goToScreen,
  inBrowser,
  newUserData,
  openedConsoles,
  type ReleaseConsole,
} from './release-console.ts'

export {
  type ConsoleOptions,
  environment,
  inBrowser,
  newUserData,
  openedConsoles,
  type ReleaseConsole,
  type Screen,
} from './release-console.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Starts the built app on a folder, with arguments of its own. Its window may not be there yet. */
export async function launch(
  userData: string,
  {
    args = [],
    env = {},
  }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<ElectronApplication> {
  const app = await _electron.launch({
    args: [root, ...args],
    env: environment({ TIDEGATE_USER_DATA: userData, HOME: userData, ...env }),
    // The theme is the app's to choose.
    colorScheme: null,
  })
  app.context().setDefaultTimeout(60_000)
  if (process.env.E2E_VERBOSE) {
    app.process().stderr?.pipe(process.stderr)
    app.process().stdout?.pipe(process.stdout)
  }
  return app
}

/** Starts the app a second time beside `first`, and waits until that start has ended. */
export async function startAgain(
  first: ElectronApplication,
  userData: string,
  args: readonly string[] = [],
): Promise<void> {
  const { spawnfile, spawnargs } = first.process()
  const sandbox = spawnargs.filter((argument) => argument === '--no-sandbox')
  const second = spawn(spawnfile, [...sandbox, root, ...args], {
    env: environment({ TIDEGATE_USER_DATA: userData, HOME: userData }),
    stdio: 'ignore',
  })
  await once(second, 'exit')
}

/** Opens the console: starts the built app and waits for its window, or opens a browser on a server. */
export async function openConsole(options: ConsoleOptions = {}): Promise<ReleaseConsole> {
  if (inBrowser) {
    return await openInBrowser(options)
  }
  const { userData = newUserData(), preferences = {}, env = {}, reducedMotion = true } = options
  const port = options.port ?? (await freePort())
  const files = { isOn: options.storesFiles === true, publicUrl: `http://127.0.0.1:${port}` }
  const settings = { address: { host: '127.0.0.1', port }, preferences, files }
  if (options.keepSettings !== true) {
    writeFileSync(join(userData, 'settings.json'), JSON.stringify(settings))
  }
  const app = await launch(userData, { env })
  // Playwright knows it no more once it has ended.
  const process = app.process()
  const page = await app.firstWindow()
  if (reducedMotion) await page.emulateMedia({ reducedMotion: 'reduce' })
  const opened: ReleaseConsole = {
    app,
    page,
    address: `http://127.0.0.1:${port}`,
    goTo: (screen) => goToScreen(page, screen),
    userData,
    quit: () => quit(app, process),
    async close() {
      await quit(app, process)
      rmSync(userData, { recursive: true, force: true })
    },
  }
  openedConsoles.push(opened)
  return opened
}

/** Loads the page anew, as the menu does; waits until it shows a screen. */
export async function loadAnew(opened: ReleaseConsole): Promise<void> {
  const { page } = opened
  // A page that is still being loaded cannot be loaded anew.
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loaded = page.waitForEvent('load')
  if (inBrowser) await page.reload()
  else {
    await opened.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.reload(),
    )
  }
  await loaded
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Loads the page anew and opens the overview, without what a form still holds: a dialog or a draft that a failed
 * test left behind fails no other.
 */
export async function startOver(opened: ReleaseConsole): Promise<void> {
  // Playwright leaves a page of a browser without asking.
  if (inBrowser) await loadAnew(opened)
  else await loadWithoutAsking(opened)
  await opened.goTo('Overview')
}

async function loadWithoutAsking(opened: ReleaseConsole): Promise<void> {
  const { app } = opened
  const answer = await app.evaluateHandle(({ dialog }) => {
    const { showMessageBoxSync } = dialog
    dialog.showMessageBoxSync = () => 0
    return showMessageBoxSync
  })
  await loadAnew(opened)
  await app.evaluate(({ dialog }, before) => {
    dialog.showMessageBoxSync = before
  }, answer)
}

/** Quits as a person does who lets go what a form still holds. An app that has ended may be quit. */
async function quit(app: ElectronApplication, process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBoxSync = () => 0
  })
  await app.close()
}

/** Process ids of the server's utility process; one, unless it is down. */
export function serverProcesses(app: ElectronApplication): Promise<number[]> {
  return app.evaluate(({ app: it }) =>
    it
      .getAppMetrics()
      .filter(({ name }) => name === 'Tidegate server')
      .map(({ pid }) => pid),
  )
}
