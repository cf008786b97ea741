import { app } from './app.ts'
import type { BrowserWindow } from './browser-window.ts'
import { StandIn } from './stand-in.ts'
import { openWindows } from './windows.ts'

interface ItemOptions {
  readonly id?: string
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly accelerator?: string
  readonly enabled?: boolean
  readonly visible?: boolean
  readonly checked?: boolean
  readonly submenu?: Menu | readonly ItemOptions[]
  readonly click?: (item: MenuItem, window: unknown, event: object) => void
}

/** An item that a spec can find by id or label and click. */
export class MenuItem extends StandIn {
  readonly id: string | undefined
  label: string
  readonly role: string | undefined
  readonly type: string
  readonly accelerator: string | null
  readonly submenu: Menu | undefined
  enabled: boolean
  visible: boolean
  checked: boolean
  private readonly onClick: ItemOptions['click']

  constructor(options: ItemOptions) {
    super()
    const { submenu } = options
    this.id = options.id
    this.label = options.label ?? options.role ?? ''
    this.role = options.role?.toLowerCase()
    this.type = options.type ?? (submenu === undefined ? 'normal' : 'submenu')
    this.accelerator = options.accelerator ?? null
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    this.onClick = options.click
    this.submenu =
      submenu === undefined || submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu)
  }

  click(event: object = {}, window?: BrowserWindow): void {
    if (this.type === 'checkbox') this.checked = !this.checked
    if (this.onClick !== undefined) this.onClick(this, window, event)
    else this.runRole(window ?? focused())
  }

  /** The roles that have an effect without a text to edit and without a desktop. */
  private runRole(window: BrowserWindow | undefined): void {
    if (this.role === 'quit') app.quit()
    if (this.role === 'close') window?.close()
    if (this.role === 'reload') window?.reload()
  }
}

const focused = () => [...openWindows].find((window) => window.isFocused())

export class Menu extends StandIn {
  readonly items: MenuItem[] = []

  static buildFromTemplate(template: readonly (ItemOptions | MenuItem)[]): Menu {
    const menu = new Menu()
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item))
    return menu
  }
  static setApplicationMenu(menu: Menu | null): void {
    app.applicationMenu = menu
  }
  static getApplicationMenu = () => app.applicationMenu

  append(item: MenuItem): void {
    this.items.push(item)
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null)
      if (found !== null) return found
    }
    return null
  }
  popup = () => {}
  closePopup = () => {}
}
