import { Notification } from 'electron'
import type { ServerState } from '../../shared/console/shell.ts'

/** Milliseconds in which the same thing is not told again. */
const QUIET_TIME = 10 * 60_000
/** Most notifications remembered within that time; the oldest is dropped first. */
const MOST_REMEMBERED = 100

interface Told {
  readonly at: number
  /** Electron keeps only a weak reference: without this one, clicks would do nothing. */
  readonly notification: Notification
}

/** Tells the person at the machine what happens to the server; the same thing now and then at most. */
export class Notifications {
  readonly #open: () => void
  readonly #told = new Map<string, Told>()

  /** `open`: what a click on a notification does. */
  constructor(open: () => void) {
    this.#open = open
  }

  /** Tells that the server is down, or cannot start. */
  state(state: ServerState): void {
    if (state.state === 'restarting') {
      this.#tell('down', 'The server is down', `${state.reason} It is being started again.`)
    }
    if (state.state === 'failed') {
      this.#tell(`failed ${state.message}`, 'The server could not start', state.message)
    }
  }

  /** Trouble with the database, said by a server that runs. */
  trouble(message: string): void {
    this.#tell(`trouble ${message}`, 'Trouble with the database', message)
  }

  /** Notifies about a new version of Tidegate. */
  newVersion(version: string): void {
    const body = 'Open Settings to see how to upgrade.'
    this.#tell(`version ${version}`, `Tidegate ${version} is available`, body)
  }

  /** Notifies that the settings file was invalid and is kept as `aside`. */
  settingsReset(aside: string): void {
    const body = `The settings file could not be read. It was saved as ${aside}.`
    this.#tell(`reset ${aside}`, 'Settings were reset to defaults', body)
  }

  #tell(what: string, title: string, body: string): void {
    const toldAt = this.#told.get(what)?.at ?? Number.NEGATIVE_INFINITY
    if (Date.now() - toldAt < QUIET_TIME || !Notification.isSupported()) return
    const notification = new Notification({ title, body })
    this.#told.delete(what)
    this.#told.set(what, { at: Date.now(), notification })
    const [first] = this.#told.keys()
    if (this.#told.size > MOST_REMEMBERED && first !== undefined) this.#told.delete(first)
    notification.on('click', this.#open)
    notification.show()
  }
}
