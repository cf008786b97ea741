import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { item } from '../../../support/builders/devices.ts'
import { connectTo, execute } from '../../../support/servers/database.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Reports a device. `kept`: what was reported of it, while something keeps that. */
function begin({ updates }: TestServer) {
  const devices = [item('one')]
  const kept = new WeakRef(devices)
  return { kept, answered: updates.report(PRINCIPAL, { app: 'editor', devices }) }
}

// On PostgreSQL, the facts themselves wait for the commit.
test.skipIf(isOnPostgres)(
  'nothing keeps the devices of a report while it is committed',
  async () => {
    const server = await startWithApp()
    await server.fleet.settled()
    const holder = connectTo(server)
    await execute(holder, 'BEGIN IMMEDIATE')
    const { kept, answered } = begin(server)
    while (server.fleet.health.queued > 0) await nextTurn()
    await nextTurn()
    collectGarbage()
    expect(kept.deref()).toBeUndefined()
    holder.exec('COMMIT')
    expect(await answered).toMatchObject({ ref: 'editor' })
  },
)
