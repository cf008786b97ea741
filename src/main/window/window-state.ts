import { type BrowserWindow, screen } from 'electron'
import { z } from 'zod'
import { readOptionalJsonFile, writeJsonFile } from '../settings/json-file.ts'
import { type Bounds, placeWindow } from './bounds.ts'

const WindowState = z.strictObject({
  bounds: z
    .strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
    .optional(),
  maximized: z.boolean().default(false),
})

/** Milliseconds after the last movement of a window. */
const SETTLE_TIME = 500

/** Remembers where the console's window was, and whether it was maximized. */
export class RememberedWindow {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Returns where the window opens, on a connected display, and whether it is maximized. */
  read(): { readonly bounds: Bounds; readonly maximized: boolean } {
    const { bounds, maximized } = readOptionalJsonFile(this.#file, WindowState)
    const primary = screen.getPrimaryDisplay()
    const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
    const areas = [primary, ...others].map(({ workArea }) => workArea)
    return { bounds: placeWindow(bounds, areas), maximized }
  }

  /** Saves where the window is whenever that changes, until it is closed. */
  follow(window: BrowserWindow): void {
    let timer: NodeJS.Timeout | undefined
    const save = () => {
      clearTimeout(timer)
      const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
      try {
        writeJsonFile(this.#file, state)
      } catch {
        // A window that opens elsewhere the next time is no reason to stop.
      }
    }
    const saveSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(save, SETTLE_TIME)
    }
    window.on('resize', saveSoon)
    window.on('move', saveSoon)
    window.on('maximize', saveSoon)
    window.on('unmaximize', saveSoon)
    window.on('close', save)
    window.once('closed', () => clearTimeout(timer))
  }
}
