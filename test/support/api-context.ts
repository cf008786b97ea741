import { pino } from 'pino'
import { KeyUsage } from '../../src/server/catalog/key-usage.ts'
import { Offers } from '../../src/server/catalog/offers.ts'
import type { ApiContext } from '../../src/server/http/context.ts'
import { FailureLog } from '../../src/server/http/failure-log.ts'
import { perMinute } from '../../src/server/http/rate-limit.ts'
import { VERSION } from '../../src/server/version.ts'
import type { TestServer } from './server.ts'

/** What the public API of a running server is made of, to make parts of it once more. */
export function apiContextOf({ catalog, fleet }: TestServer): ApiContext {
  const log = pino({ level: 'silent' })
  const off = perMinute(0)
  return {
    ...{ catalog, fleet, log, trustProxy: null, version: VERSION },
    failures: new FailureLog(log),
    keyUsage: new KeyUsage(catalog.store, () => {}),
    offers: new Offers(catalog),
    logHealth: () => ({ lost: 0, failure: null }),
    databaseTrouble: () => null,
    certificate: () => null,
    limits: { device: off, key: off, rejectedKey: off },
  }
}
