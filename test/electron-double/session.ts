import { protocol } from './protocol.ts'
import { recorded } from './recorded.ts'
import { StandIn, standIn } from './stand-in.ts'
import type { WebContents } from './web-contents.ts'

type Grant = (granted: boolean) => void
type CheckHandler = (
  contents: WebContents | null,
  permission: string,
  origin: string,
  details: object,
) => boolean
type RequestHandler = (
  contents: WebContents,
  permission: string,
  grant: Grant,
  details: object,
) => void

/** Permissions as Electron names them, with the names that Chromium's protocol has for them. */
const permissions = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  midi: 'midi',
  'clipboard-read': 'clipboard-read',
  'clipboard-sanitized-write': 'clipboard-write',
  'idle-detection': 'idle-detection',
} as const

export class Session extends StandIn {
  readonly protocol = protocol
  readonly webRequest = standIn('session.webRequest', {})
  private check: CheckHandler | null = null
  private request: RequestHandler | null = null
  private languages: readonly string[] = ['en-US']
  private dictionaries = 'https://redirector.gvt1.com/edgedl/chrome/dict/'

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.check = handler
  }
  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.request = handler
  }
  setDevicePermissionHandler = () => {}
  setDisplayMediaRequestHandler = () => {}
  setUSBProtectedClassesHandler = () => {}
  setBluetoothPairingHandler = () => {}
  clearCache = async () => {}
  clearStorageData = async () => {}

  setSpellCheckerEnabled = () => {}
  setSpellCheckerLanguages(languages: readonly string[]): void {
    this.languages = languages
  }
  setSpellCheckerDictionaryDownloadURL(url: string): void {
    this.dictionaries = url
  }

  /** Not Electron's: called when the session is first used, which downloads the dictionaries of its languages. */
  begin(): void {
    // macOS uses its own spell checker, regardless of what the page prefers.
    if (process.platform === 'darwin') return
    for (const language of this.languages) recorded.downloads.push(this.dictionaries + language)
  }

  /**
   * Not Electron's: asks the app's handlers about every permission that Chromium can set in advance. Without a
   * handler, it is granted, as in Electron.
   */
  async decide(contents: WebContents, origin: string) {
    const decided = Object.entries(permissions).map(async ([name, chromiumName]) => ({
      name: chromiumName,
      setting: (await this.allows(contents, name, origin))
        ? ('granted' as const)
        : ('denied' as const),
    }))
    return await Promise.all(decided)
  }

  private async allows(contents: WebContents, name: string, origin: string): Promise<boolean> {
    const details = { requestingUrl: origin, isMainFrame: true }
    if (this.check !== null && !this.check(contents, name, origin, details)) return false
    const request = this.request
    if (request === null) return true
    return await new Promise((resolve) => request(contents, name, resolve, details))
  }
}

const defaultSession = new Session()

export const session = standIn('session', {
  defaultSession,
  fromPartition(): never {
    throw new Error('The Electron double has one session, the default one')
  },
})
