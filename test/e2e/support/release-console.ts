import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'

/** The screens that the navigation leads to. */
export type Screen =
  | 'Overview'
  | 'Fleet'
  | 'Releases'
  | 'Calendar'
  | 'Devices'
  | 'Apps and channels'
  | 'API keys'
  | 'People'
  | 'Webhooks'
  | 'Audit log'
  | 'Settings'

/** The app as a person has it before them, with a data folder of its own. */
export interface ReleaseConsole {
  readonly app: ElectronApplication
  readonly page: Page
  /** Where its server is told to listen. */
  readonly address: string
  /** Goes to a screen by the navigation. */
  goTo(screen: Screen): Promise<void>
  /** All that the app keeps. */
  readonly userData: string
  /** Quits the app and keeps its folder, for another start. */
  quit(): Promise<void>
  /** Quits the app and removes its folder. */
  close(): Promise<void>
}

export interface ConsoleOptions {
  /** Of its server; a free one unless told. */
  readonly port?: number
  /** A folder that an earlier start left; a new one unless told. */
  readonly userData?: string
  /** Where they differ from the defaults. */
  readonly preferences?: { readonly closeToTray?: boolean }
  readonly env?: Readonly<Record<string, string>>
  /** Starts as on a system whose user asked for less motion: nothing fades or slides. So it is unless this is false. */
  readonly reducedMotion?: boolean
  /** Its server stores files. */
  readonly storesFiles?: boolean
  /** Starts with the settings that are in `userData`; the other options then change none. */
  readonly keepSettings?: boolean
}

/** All that the specs of the running file have opened, also what is closed again. */
export const openedConsoles: ReleaseConsole[] = []

/** A folder for all that an app keeps. Its parent is the system's for temporary files. */
export const newUserData = () => mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))

/** Whether the specs run against the console in a browser, not in the desktop app. */
export const inBrowser = process.env.E2E_CONSOLE === 'browser'

/** Goes to a screen by the navigation: in a narrow window by its bar, or its menu. */
export async function goToScreen(page: Page, screen: Screen): Promise<void> {
  const places = page.getByRole('navigation', { name: 'Screens' })
  const place = places.getByRole('link', { name: screen })
  const menu = places.getByRole('button', { name: 'Menu' })
  await place.or(menu).first().waitFor()
  // A wide window has no menu, and a page that is just being loaded has nothing yet.
  if (!(await place.isVisible()) && (await menu.isVisible())) {
    await menu.click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: screen }).click()
  } else await place.click()
  await page.getByRole('heading', { level: 1, name: screen }).waitFor()
}

/** Goes to an address of the page, such as `#/releases`, as a person does who types it. */
export async function goToAddress(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash
  }, address)
}

/** The variables that an app is started with: those of this process, without those of the test runner. */
export function environment(own: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('VITEST') || name === 'NODE_ENV' ? [] : [[name, value]],
  )
  return { ...Object.fromEntries(inherited), ...own }
}
