import type { MenuItem } from 'electron'
import type { ElectronApplication } from 'playwright'

export interface Item {
  readonly label: string
  readonly role: string | undefined
  readonly accelerator: string | null
}

/** Every item of the application's menu, in order, those of its submenus as well. */
export function menuItems(app: ElectronApplication): Promise<Item[]> {
  return app.evaluate(({ Menu }) => {
    const flat = (items: readonly MenuItem[]): MenuItem[] =>
      items.flatMap((item) => [item, ...flat(item.submenu?.items ?? [])])
    return flat(Menu.getApplicationMenu()?.items ?? []).map(({ label, role, accelerator }) => ({
      label,
      role,
      accelerator,
    }))
  })
}

/** Chooses an item of the application's menu by its label, or by its role, in small letters. */
export async function clickMenu(app: ElectronApplication, item: string): Promise<void> {
  await app.evaluate(({ BrowserWindow, Menu }, wanted) => {
    const flat = (items: readonly MenuItem[]): MenuItem[] =>
      items.flatMap((item) => [item, ...flat(item.submenu?.items ?? [])])
    const found = flat(Menu.getApplicationMenu()?.items ?? []).find(
      ({ label, role }) => label === wanted || role === wanted,
    )
    if (found === undefined) throw new Error(`The menu has no item ${wanted}`)
    const [window] = BrowserWindow.getAllWindows()
    // As Electron calls it: with the event, the window that has the focus, and its page.
    found.click({}, window, window?.webContents)
  }, item)
}
