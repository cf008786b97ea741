import { Notification } from 'electron'
import type { ServerState } from '../shared/console/shell.ts'

/** Milliseconds in which the same thing is not told again. */
const QUIET_TIME = 10 * 60_000

/** Tells the person at the machine what happens to the server; the same thing now and then at most. */
export class Notifications {
  readonly #open: () => void
  readonly #told = new Map<string, number>()

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

  /** Tells of a later version of Tidegate. */
  newVersion(version: string): void {
    const body = 'See Settings for how to upgrade.'
    this.#tell(`version ${version}`, `Tidegate ${version} is available`, body)
  }

  #tell(what: string, title: string, body: string): void {
    const toldAt = this.#told.get(what) ?? Number.NEGATIVE_INFINITY
    if (Date.now() - toldAt < QUIET_TIME || !Notification.isSupported()) return
    this.#told.set(what, Date.now())
    const notification = new Notification({ title, body })
    notification.on('click', this.#open)
    notification.show()
  }
}
