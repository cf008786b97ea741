import type {
  ServerProcessConfig,
  ServerTrouble,
} from '../../shared/console/desktop/server-process.ts'
import type { ServerState } from '../../shared/console/desktop/shell.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import type { UtilityProcess } from './utility-process.ts'

/** Follows every start, and has another configuration if one does not work. */
export interface StartTrial {
  /** The server is about to be started with the configuration as it is now. */
  starting(): void
  ready(): void
  /** Returns whether the configuration was replaced, so that the server is started again. Must not throw. */
  failed(failure: StartFailure): boolean
}

/** `Port`: Electron's port in the app, another one in tests. */
export interface SupervisorOptions<Port> {
  fork(): UtilityProcess<Port>
  /** Asked at every start. */
  config(): ServerProcessConfig
  onState(state: ServerState): void
  /** Something that the person at the computer should know. */
  onTrouble(trouble: ServerTrouble): void
  readonly trial?: StartTrial
}
