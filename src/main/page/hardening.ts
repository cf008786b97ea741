import { app, type Session, session, shell, type WebContents } from 'electron'
import { ORIGIN, webLink } from './addresses.ts'

/** The only permission of the page: to copy text. */
const COPY_TEXT = 'clipboard-sanitized-write'

/** Denies every page what the console does not need. Call once, when Electron is ready. */
export function harden(): void {
  denyPermissions(session.defaultSession)
  fetchNoDictionaries(session.defaultSession)
  app.on('web-contents-created', (_, contents) => confine(contents))
}

function denyPermissions(target: Session): void {
  target.setPermissionRequestHandler((contents, permission, answer, { isMainFrame }) => {
    answer(permission === COPY_TEXT && isMainFrame && contents.mainFrame.origin === ORIGIN)
  })
  target.setPermissionCheckHandler(
    (_, permission, origin) => permission === COPY_TEXT && isConsole(origin),
  )
  target.setDevicePermissionHandler(() => false)
}

/**
 * Keeps Electron from fetching dictionaries for its spell checker, which it does whatever the page's
 * preferences. It starts when the session is created: too early to set languages, but not the address.
 */
function fetchNoDictionaries(target: Session): void {
  target.setSpellCheckerDictionaryDownloadURL('https://dictionaries.invalid/')
  target.setSpellCheckerLanguages([])
}

/** The origin comes as that of an address, with a slash at its end or without. */
function isConsole(origin: string): boolean {
  return origin === ORIGIN || origin === `${ORIGIN}/`
}

/** Locks a page down: no navigation, no remote frame, no window, no webview. */
function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    void openLink(url)
    return { action: 'deny' }
  })
}

/** Opens a web link in the system's browser. Returns false if it must not or could not be opened. */
export async function openLink(address: string): Promise<boolean> {
  const link = webLink(address)
  if (link === undefined) return false
  return shell.openExternal(link).then(
    () => true,
    () => false,
  )
}
