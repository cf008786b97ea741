import { recorded } from './recorded.ts'
import { StandIn, standIn } from './stand-in.ts'
import { SCREEN } from './window-state.ts'

/** The desktop around the app. */
export const shell = standIn('shell', {
  openExternal: async (url: string) => {
    recorded.openedExternal.push(url)
  },
  openPath: async (path: string) => {
    recorded.openedPaths.push(path)
    return ''
  },
  showItemInFolder: (path: string) => {
    recorded.openedPaths.push(path)
  },
  beep: () => {},
})

let copied = ''
export const clipboard = standIn('clipboard', {
  writeText: async (text: string) => {
    copied = text
  },
  readText: async () => copied,
  clear: () => {
    copied = ''
  },
})

const display = {
  id: 1,
  bounds: SCREEN,
  workArea: SCREEN,
  size: SCREEN,
  scaleFactor: 1,
  rotation: 0,
}

class Screen extends StandIn {
  getPrimaryDisplay = () => display
  getAllDisplays = () => [display]
  getDisplayMatching = () => display
  getDisplayNearestPoint = () => display
  getCursorScreenPoint = () => ({ x: 0, y: 0 })
}
export const screen = new Screen()

class PowerMonitor extends StandIn {
  isOnBatteryPower = () => false
  getSystemIdleTime = () => 0
}
export const powerMonitor = new PowerMonitor()
