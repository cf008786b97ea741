import { namesOf } from '../../../shared/basics/map-each.ts'
import type { SettingsInUse } from '../../../shared/console/settings/status.ts'
import { SERVER_NUMBERS } from '../../../shared/operation/server-numbers.ts'
import type { ServerConfig } from '../../config.ts'

/** Returns the settings of a server that people may see: no secrets. */
export function settingsInUse(config: ServerConfig): SettingsInUse {
  const { host, console: offered, trustProxy, hosting } = config
  const numbers = SERVER_NUMBERS
  return {
    host,
    console: offered?.mode ?? 'off',
    trustProxy: [...trustProxy],
    limits: numbersOf(numbers.limits, config.limits),
    budgets: numbersOf(numbers.budgets, config.budgets),
    connections: numbersOf(numbers.connections, config),
    retention: numbersOf(numbers.retention, config),
    backups: numbersOf(numbers.backups, config.backups),
    hosting: hosting === undefined ? null : numbersOf(numbers.hosting, hosting),
  }
}

/** Returns the numbers of a group, and nothing else that is beside them. */
function numbersOf<Of extends Readonly<Record<string, unknown>>>(
  group: Of,
  values: Readonly<Record<keyof Of, number>>,
): Record<keyof Of, number>
function numbersOf(
  group: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, number>>,
): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(namesOf(group).map((name) => [name, values[name]]))
}
