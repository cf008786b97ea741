import type { ConsoleConfig } from '../config.ts'
import type { SharedConsoleContext } from '../console/context.ts'
import type { ApiContext } from '../http/context.ts'
import type { People } from '../people/people.ts'
import type { HoldBack } from './hold-back.ts'

/** What the console over HTTP works with. */
export interface WebConsoleParts {
  readonly config: ConsoleConfig
  readonly api: Pick<
    ApiContext,
    'trustProxy' | 'log' | 'failures' | 'limits' | 'contact' | 'statusToken'
  >
  /** Of the server once it listens. */
  readonly console: () => SharedConsoleContext
  readonly people: People
  /** For refusals of strangers. */
  readonly holdBack: HoldBack
}
