import type { ServerState } from '../../shared/console/shell.ts'

/** The state of the server: reported when it changes, and awaited while the server starts. */
export class ServerStatus {
  readonly #onState: (state: ServerState) => void
  #state: ServerState = { state: 'stopped' }
  #settled = Promise.withResolvers<void>()

  constructor(onState: (state: ServerState) => void) {
    this.#onState = onState
  }

  /** The state as last reported; `stopped` before the first start. */
  get state(): ServerState {
    return this.#state
  }

  set(state: ServerState): void {
    // Who waits for a start that failed waits for the next one.
    if (state.state === 'starting' && this.#state.state !== 'starting') {
      this.#settled = Promise.withResolvers()
    }
    this.#state = state
    if (state.state !== 'starting') this.#settled.resolve()
    this.#onState(state)
  }

  /** Resolves at once, or when a server that starts runs or has failed. */
  async settled(): Promise<void> {
    if (this.#state.state === 'starting') await this.#settled.promise
  }
}
