import { StandIn } from './stand-in.ts'
import type { WebContents } from './web-contents.ts'
import { openWindows } from './windows.ts'

type Source = 'system' | 'light' | 'dark'

export class NativeTheme extends StandIn {
  readonly shouldUseHighContrastColors = false
  readonly prefersReducedTransparency = false
  private source: Source = 'system'

  get themeSource(): Source {
    return this.source
  }
  set themeSource(source: Source) {
    if (source === this.source) return
    this.source = source
    for (const { webContents } of openWindows) this.applyTo(webContents)
    this.emit('updated')
  }
  get shouldUseDarkColors(): boolean {
    return this.source === 'dark'
  }

  /** Not Electron's: makes a page see the theme. */
  applyTo(contents: WebContents): void {
    const value = this.source === 'system' ? '' : this.source
    const features = [{ name: 'prefers-color-scheme', value }]
    contents.opened
      .then((page) => page.session.send('Emulation.setEmulatedMedia', { features }))
      .catch(() => {})
  }
}

export const nativeTheme = new NativeTheme()
