/** The process of a fuzzed server, started by `FuzzedServer` with a data folder, and a PostgreSQL database or nothing. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import type { NewApiKey } from '../../../src/server/catalog/keys.ts'
import { desktopPrincipal } from '../../../src/server/console/procedures.ts'
import { createServer } from '../../../src/server/server.ts'
import { BUDGETS } from '../judge/budgets.ts'

const [, , dataFolder = '', url = ''] = process.argv
const database = url === '' ? undefined : url

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const server = await createServer(
  {
    ...{ dataFolder, database, port: 0, budgets: BUDGETS },
    limits: { device: 0, key: 0, rejectedKey: 0 },
  },
  pino({ level: 'error' }),
).start()
const { updates } = server
const principal = desktopPrincipal()
const apps = []
for (const ref of ['editor', 'viewer']) {
  const { id } = await updates.createApp(principal, { ref })
  await updates.createChannel(principal, { app: ref, name: 'beta' })
  apps.push({ id, ref })
}
const mint = async (name: string, input: Omit<NewApiKey, 'name'> = {}) =>
  await updates.mintKey(principal, { name, ...input })
const revoked = await mint('revoked')
await updates.revokeKey(principal, revoked.key.prefix)
const keys = {
  all: (await mint('all')).secret,
  read: (await mint('read', { scopes: ['read'] })).secret,
  fleet: (await mint('fleet', { scopes: ['fleet'] })).secret,
  ofOneApp: (await mint('of one app', { app: 'viewer' })).secret,
  revoked: revoked.secret,
}

process.on('message', (message) => {
  if (message === 'memory') {
    collectGarbage()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ type: 'memory', rss, heapUsed })
  }
  if (message === 'stop') void server.stop().then(() => process.disconnect())
})
// The parent has exited, so nothing else would stop the server.
process.on('disconnect', () => process.exit())
process.send?.({ type: 'ready', port: Number(new URL(server.address).port), apps, keys })
