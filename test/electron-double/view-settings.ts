import { StandIn } from './stand-in.ts'

/** Settings of a page that are stored without effect: zoom, developer tools. */
export class ViewSettings extends StandIn {
  private readonly mayHaveDevTools: boolean
  private devTools = false
  private zoom = 0

  constructor(mayHaveDevTools: boolean) {
    super()
    this.mayHaveDevTools = mayHaveDevTools
  }

  getZoomLevel = () => this.zoom
  setZoomLevel(level: number): void {
    this.zoom = level
  }
  getZoomFactor = () => 1.2 ** this.zoom
  setZoomFactor(factor: number): void {
    this.zoom = Math.log(factor) / Math.log(1.2)
  }
  setVisualZoomLevelLimits = async () => {}
  setBackgroundThrottling = () => {}
  openDevTools(): void {
    this.devTools = this.mayHaveDevTools
  }
  closeDevTools(): void {
    this.devTools = false
  }
  toggleDevTools(): void {
    this.devTools = this.mayHaveDevTools && !this.devTools
  }
  isDevToolsOpened = () => this.devTools
}
