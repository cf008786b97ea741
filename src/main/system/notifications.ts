import { Notification } from 'electron'
import type { ServerTrouble } from '../../shared/console/desktop/server-process.ts'
import type { ServerState } from '../../shared/console/desktop/shell.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import {
  startFailureSentence,
  unexpectedEnd,
} from '../../shared/wording/operation/start-failure.ts'
import { troubleWords, text as words } from '../strings.ts'

/** Milliseconds in which the same notification is not shown again. */
const QUIET_TIME = 10 * 60_000
/** Most notifications remembered within that time; the oldest is dropped first. */
const MOST_REMEMBERED = 100

interface Shown {
  readonly at: number
  /** Electron keeps only a weak reference: without this one, clicks would do nothing. */
  readonly notification: Notification
}

/** Notifies the person at the computer. The same notification is shown at most every 10 minutes. */
export class Notifications {
  readonly #open: () => void
  readonly #shown = new Map<string, Shown>()

  /** `open`: what a click on a notification does. */
  constructor(open: () => void) {
    this.#open = open
  }

  /** Notifies that the server is down or cannot start; other states show nothing. */
  state(state: ServerState): void {
    if (state.state === 'restarting') {
      this.#notify('down', words.notifications.serverDown, unexpectedEnd(state))
    }
    if (state.state === 'failed') {
      const sentence = startFailureSentence(state.failure)
      this.#notify(`failed ${sentence}`, words.notifications.startFailed, sentence)
    }
  }

  /** Notifies about what a running server cannot do. */
  trouble(trouble: ServerTrouble): void {
    const { title, text } = troubleWords(trouble)
    this.#notify(`trouble ${title} ${text}`, title, text)
  }

  /** Notifies about a new version of Tidegate. */
  newVersion(version: string): void {
    const { newVersion, howToUpgrade } = words.notifications
    this.#notify(`version ${version}`, newVersion(version), howToUpgrade)
  }

  /** Notifies that the server did not start with new settings and went back to the previous ones. */
  settingsNotApplied(failure: StartFailure): void {
    const { notApplied, previousInUse } = words.notifications
    const sentence = previousInUse(startFailureSentence(failure))
    this.#notify(`not applied ${sentence}`, notApplied, sentence)
  }

  /** Notifies that the settings file was invalid and is kept as `aside`. */
  settingsReset(aside: string): void {
    const { settingsReset, settingsKeptAs } = words.notifications
    this.#notify(`reset ${aside}`, settingsReset, settingsKeptAs(aside))
  }

  #notify(what: string, title: string, body: string): void {
    const shownAt = this.#shown.get(what)?.at ?? Number.NEGATIVE_INFINITY
    if (Date.now() - shownAt < QUIET_TIME || !Notification.isSupported()) return
    const notification = new Notification({ title, body })
    this.#shown.delete(what)
    this.#shown.set(what, { at: Date.now(), notification })
    const [first] = this.#shown.keys()
    if (this.#shown.size > MOST_REMEMBERED && first !== undefined) this.#shown.delete(first)
    notification.on('click', this.#open)
    notification.show()
  }
}
