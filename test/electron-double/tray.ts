import type { Menu } from './menu.ts'
import type { NativeImage } from './native-image.ts'
import { recorded } from './recorded.ts'
import { StandIn } from './stand-in.ts'

/** Recorded: nothing is drawn. */
export class Tray extends StandIn {
  private readonly record: (typeof recorded.trays)[number]
  private menu: Menu | null = null
  private destroyed = false

  constructor(image: NativeImage) {
    super()
    if (image === undefined) throw new TypeError('A tray needs an image')
    this.record = {
      tooltip: '',
      menu: null,
      image: image.toDataURL(),
      opened: 0,
      click: () => this.clicked(),
    }
    recorded.trays.push(this.record)
  }
  setToolTip(text: string): void {
    this.record.tooltip = text
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu
    this.record.menu = menu
  }
  setImage(image: NativeImage): void {
    this.record.image = image.toDataURL()
  }
  setPressedImage = () => {}
  setTitle = () => {}
  setIgnoreDoubleClickEvents = () => {}
  popUpContextMenu(menu = this.menu): void {
    if (menu !== null) this.record.opened += 1
  }
  getBounds = () => ({ x: 0, y: 0, width: 24, height: 24 })
  isDestroyed = () => this.destroyed
  destroy(): void {
    this.destroyed = true
    recorded.trays.splice(recorded.trays.indexOf(this.record), 1)
  }

  /** macOS opens a menu that has items on the click, and emits the click event as well. */
  private clicked(): void {
    this.emit('click', {}, this.getBounds(), { x: 0, y: 0 })
    if (process.platform === 'darwin' && this.menu !== null && this.menu.items.length > 0) {
      this.popUpContextMenu()
    }
  }
}
