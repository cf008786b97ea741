import { recorded } from './recorded.ts'
import { StandIn } from './stand-in.ts'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

type Mode = 'normal' | 'minimized' | 'maximized' | 'fullscreen'

export const SCREEN: Readonly<Bounds> = { x: 0, y: 0, width: 1920, height: 1080 }

/** Position and state of a window. There is no window manager, so every request takes effect. */
export class WindowState extends StandIn {
  private bounds: Bounds
  private visible = false
  private mode: Mode = 'normal'
  private title = ''

  constructor(
    options: Partial<Bounds> & { title?: string | undefined; show?: boolean | undefined },
  ) {
    super()
    const { width = 800, height = 600 } = options
    this.bounds = {
      x: options.x ?? Math.round((SCREEN.width - width) / 2),
      y: options.y ?? Math.round((SCREEN.height - height) / 2),
      width,
      height,
    }
    this.title = options.title ?? ''
    this.visible = options.show ?? true
  }

  getBounds = (): Bounds => ({ ...(this.mode === 'maximized' ? SCREEN : this.bounds) })
  getNormalBounds = (): Bounds => ({ ...this.bounds })
  getContentBounds = () => this.getBounds()
  getSize = () => [this.getBounds().width, this.getBounds().height]
  getContentSize = () => this.getSize()
  getPosition = () => [this.getBounds().x, this.getBounds().y]
  setBounds(bounds: Partial<Bounds>): void {
    this.bounds = { ...this.bounds, ...bounds }
    this.resized()
    this.emit('move')
    this.emit('moved')
  }
  setContentBounds = (bounds: Partial<Bounds>) => this.setBounds(bounds)
  setSize = (width: number, height: number) => this.setBounds({ width, height })
  setContentSize = (width: number, height: number) => this.setBounds({ width, height })
  setPosition = (x: number, y: number) => this.setBounds({ x, y })
  setMinimumSize = () => {}
  center = () => {}

  isVisible = () => this.visible
  isMinimized = () => this.mode === 'minimized'
  isMaximized = () => this.mode === 'maximized'
  isFullScreen = () => this.mode === 'fullscreen'
  isNormal = () => this.mode === 'normal'
  isFocused = () => this.visible && this.mode !== 'minimized'
  show(): void {
    if (this.visible) return
    this.visible = true
    this.emit('show')
    this.emit('focus')
  }
  showInactive = () => this.show()
  hide(): void {
    if (!this.visible) return
    if (process.platform === 'darwin' && this.mode === 'fullscreen') {
      recorded.problems.push('A full-screen window was hidden: macOS leaves a black screen')
    }
    this.visible = false
    this.emit('blur')
    this.emit('hide')
  }
  focus = () => {}
  blur = () => {}
  moveTop = () => {}
  minimize = () => this.setMode('minimized', 'minimize')
  maximize(): void {
    this.show()
    this.setMode('maximized', 'maximize')
  }
  unmaximize = () => this.setMode('normal', 'unmaximize')
  restore = () => this.setMode('normal', 'restore')
  setFullScreen(on: boolean): void {
    const change = () =>
      on
        ? this.setMode('fullscreen', 'enter-full-screen')
        : this.setMode('normal', 'leave-full-screen')
    // On macOS, the window is in full screen until the end of the animation.
    if (process.platform === 'darwin') setTimeout(change, 50)
    else change()
  }

  getTitle = () => this.title
  setTitle(title: string): void {
    this.title = title
  }
  setMenu = () => {}
  removeMenu = () => {}
  setMenuBarVisibility = () => {}
  setAutoHideMenuBar = () => {}
  setBackgroundColor = () => {}
  setIcon = () => {}
  setProgressBar = () => {}
  flashFrame = () => {}
  setTitleBarOverlay = () => {}

  private setMode(mode: Mode, event: string): void {
    this.mode = mode
    this.emit(event)
    this.resized()
  }

  private resized(): void {
    this.emit('resize')
    this.emit('resized')
  }
}
