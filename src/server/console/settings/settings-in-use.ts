import { z } from 'zod'
import { mapEach } from '../../../shared/basics/map-each.ts'
import type { SettingsInUse } from '../../../shared/console/settings/status.ts'
import { SERVER_NUMBERS } from '../../../shared/operation/server-numbers.ts'
import type { ServerConfig } from '../../config.ts'

const { connections, retention, backups, hosting } = SERVER_NUMBERS

/** Returns the settings of a server that people may see: no secrets. */
export function settingsInUse(config: ServerConfig): SettingsInUse {
  const { host, console: offered, trustProxy, limits, budgets } = config
  return {
    ...{ host, console: offered?.mode ?? 'off', trustProxy: [...trustProxy], limits, budgets },
    connections: numbersIn(connections).parse(config),
    retention: numbersIn(retention).parse(config),
    backups: numbersIn(backups).parse(config.backups),
    hosting: config.hosting === undefined ? null : numbersIn(hosting).parse(config.hosting),
  }
}

/** Reads the numbers of a group, and leaves out what is beside them. */
function numbersIn<Name extends string>(group: Readonly<Record<Name, unknown>>) {
  return z.object(mapEach(group, () => z.int()))
}
