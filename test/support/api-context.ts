import { pino } from 'pino'
import { KeyUsage } from '../../src/server/catalog/key-usage.ts'
import type { ApiContext } from '../../src/server/http/context.ts'
import { FailureLog } from '../../src/server/http/request/failure-log.ts'
import { perMinute } from '../../src/server/http/request/rate-limit.ts'
import type { RunningServer } from '../../src/server/server.ts'
import { Offers } from '../../src/server/updates/offers.ts'
import { createUpdates } from '../../src/server/updates/updates.ts'
import { VERSION } from '../../src/server/version.ts'

/** The context of a running server's API, made once more, without limits. */
export function apiContextOf(
  running: Pick<RunningServer, 'catalog' | 'fleet' | 'databaseTrouble' | 'certificate'>,
): ApiContext {
  const { catalog, fleet, databaseTrouble, certificate } = running
  const log = pino({ level: 'silent' })
  const off = perMinute(0)
  const offers = new Offers(catalog)
  const updates = createUpdates({ catalog, fleet, offers, onUnreadableLabels: () => {} })
  return {
    ...{ catalog, fleet, databaseTrouble, certificate, log, trustProxy: null, version: VERSION },
    failures: new FailureLog(log),
    keyUsage: new KeyUsage(catalog.store, () => {}),
    updates,
    logHealth: () => ({ lost: 0, failure: null }),
    limits: { device: off, key: off, rejectedKey: off },
  }
}
