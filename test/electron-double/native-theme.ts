import { StandIn } from './stand-in.ts'
import type { WebContents } from './web-contents.ts'
import { openWindows } from './windows.ts'

type Source = 'system' | 'light' | 'dark'

export class NativeTheme extends StandIn {
  readonly shouldUseHighContrastColors = false
  readonly prefersReducedTransparency = false
  private source: Source = 'system'
  private isSystemDark = false

  get themeSource(): Source {
    return this.source
  }
  set themeSource(source: Source) {
    if (source === this.source) return
    this.source = source
    this.changed()
  }
  get shouldUseDarkColors(): boolean {
    return this.source === 'system' ? this.isSystemDark : this.source === 'dark'
  }
  /** Only Windows distinguishes the system's theme from the app's. */
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return process.platform === 'win32' ? this.isSystemDark : this.shouldUseDarkColors
  }

  /** Not Electron's: simulates that the user changes the theme of the system. */
  setSystemDark(isDark: boolean): void {
    this.isSystemDark = isDark
    this.changed()
  }

  /** Not Electron's: applies the theme to a page. */
  applyTo(contents: WebContents): void {
    const value = this.shouldUseDarkColors ? 'dark' : this.source === 'light' ? 'light' : ''
    const features = [{ name: 'prefers-color-scheme', value }]
    contents.opened
      .then((page) => page.session.send('Emulation.setEmulatedMedia', { features }))
      .catch(() => {})
  }

  private changed(): void {
    for (const { webContents } of openWindows) this.applyTo(webContents)
    setImmediate(() => this.emit('updated'))
  }
}

export const nativeTheme = new NativeTheme()
