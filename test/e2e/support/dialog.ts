import type { Locator } from 'playwright'
import type { ReleaseConsole } from './console.ts'
import { goToAddress } from './release-console.ts'

type WithPage = Pick<ReleaseConsole, 'page'>

/** The dialog that is open. */
export const openDialog = ({ page }: WithPage): Locator => page.getByRole('dialog')

/** A button of the screen, outside of dialogs and of the navigation. */
export const screenButton = ({ page }: WithPage, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first()

/** Opens a menu of the screen by its button, and chooses an item. */
export async function chooseItem(opened: WithPage, trigger: string, name: string): Promise<void> {
  await screenButton(opened, trigger).click()
  await opened.page.getByRole('menuitem', { name, exact: true }).click()
}

/** An announcement beside the screen. */
export const announcement = ({ page }: WithPage, text: string | RegExp): Locator =>
  page.locator('.mantine-Notification-root').filter({ hasText: text }).first()

/** Opens an address of the console, coming from the overview: a screen that is open is opened anew. */
export async function openAddress({ page, goTo }: ReleaseConsole, hash: string): Promise<void> {
  await goTo('Overview')
  await goToAddress(page, hash)
}

/** Returns whether an element, or something in it, has the focus. */
export const holdsFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((it) => it.contains(document.activeElement))
