import { app } from 'electron'
import { declareAppScheme } from './app-protocol.ts'
import { type Desktop, startDesktop } from './desktop.ts'
import { locateUserData } from './user-data.ts'

const userData = locateUserData()
let desktop: Desktop | undefined

if (app.requestSingleInstanceLock()) {
  app.enableSandbox()
  declareAppScheme()
  followLife()
  app.on('ready', () => {
    desktop = startDesktop(userData)
  })
} else {
  // The one that runs hears `second-instance` and shows its window.
  app.quit()
}

function followLife(): void {
  app.on('second-instance', () => desktop?.show())
  app.on('activate', () => desktop?.show())
  app.on('before-quit', () => desktop?.prepareToQuit())
  // With the window the app goes, unless the preferences keep it in the tray, or it is a Mac.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', (event) => {
    if (desktop === undefined) return
    event.preventDefault()
    desktop.stop().finally(() => app.exit(0))
  })
}
