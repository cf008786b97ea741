import { messageOf } from '../../../shared/basics/message-of.ts'
import type {
  Bridge,
  CallRequest,
  SubscriptionEvent,
} from '../../../shared/console/bridge/bridge.ts'
import {
  DEFAULT_PREFERENCES,
  FileToSave,
  Preferences,
  type SaveOutcome,
  type ServerReach,
} from '../../../shared/console/desktop/shell.ts'
import type { LiveConnection, LiveState } from './live-connection.ts'

/** Under which the browser keeps the preferences of the page. */
const STORED = 'tidegate.preferences'

/** Milliseconds until the address of a file that is being downloaded is given up. */
const DOWNLOAD_TIME = 60_000

/**
 * What the desktop app's main process does for the page, as far as a browser can do it. Screens do not ask for
 * the rest: see `isDesktop`.
 */
export function browserShell(live: LiveConnection): Bridge {
  const procedures: Readonly<Record<string, (input: unknown) => unknown>> = {
    'shell.preferences': readPreferences,
    'shell.setPreferences': (change) => {
      const preferences = { ...readPreferences(), ...Preferences.partial().parse(change) }
      localStorage.setItem(STORED, JSON.stringify(preferences))
      return preferences
    },
    'shell.openExternal': (input) => {
      const { url } = input as { readonly url: string }
      window.open(url, '_blank', 'noopener,noreferrer')
      return { opened: true }
    },
    'shell.saveFile': (input) => download(FileToSave.parse(input)),
    'shell.retryServer': () => live.retry(),
  }
  return {
    async call({ path, input }: CallRequest) {
      const procedure = procedures[path]
      if (procedure === undefined) {
        return { ok: false, error: { code: 'unknown', reason: 'unknown_procedure', detail: path } }
      }
      try {
        return { ok: true, data: procedure(input) }
      } catch (error) {
        // The browser stores nothing more, for one.
        const detail = messageOf(error)
        return { ok: false, error: { code: 'internal', reason: 'page_error', detail } }
      }
    },
    subscribe({ path }, listener: (event: SubscriptionEvent) => void) {
      // A browser has no menu of ours: its commands never come.
      if (path !== 'shell.serverState') return () => {}
      return live.follow((state) => listener({ type: 'data', data: serverState(state) }))
    },
  }
}

function serverState(live: LiveState): ServerReach {
  if (live.state === 'connecting') return { state: 'starting' }
  if (live.state === 'open') return { state: 'running', address: location.origin }
  return { ...live, state: 'unreachable' }
}

/** What is stored, as far as this version knows it. */
function readPreferences(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}')
    return Preferences.parse({ ...DEFAULT_PREFERENCES, ...(stored as object) })
  } catch {
    return DEFAULT_PREFERENCES
  }
}

/** Saves a text where the browser puts downloads. */
function download({ suggestedName, text }: FileToSave): SaveOutcome {
  const address = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = address
  link.download = suggestedName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_TIME)
  return { outcome: 'saved', path: suggestedName }
}
