import { expect, test } from 'vitest'
import { Alarms } from '../../../../src/server/outbound/outbox/alarms.ts'
import { attachStorage } from '../../../../src/server/storage/open-storage.ts'
import type { Alarm } from '../../../../src/shared/events/webhook.ts'
import { auditOf } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { databaseOf } from '../../../support/servers/engine.ts'
import { startReceiver, webhookInput } from '../../../support/servers/receiver.ts'
import { startServer } from '../../../support/servers/server.ts'

test('an alarm is an event when it begins and when it ends, and not again after a restart', async () => {
  const receiver = await startReceiver()
  const server = await startServer({ webhooks: { privateHosts: [receiver.host] } })
  await callerOf(server).webhooks.create(webhookInput({ url: receiver.url }))
  const { folder } = server
  const storage = await attachStorage({ dataFolder: folder, database: await databaseOf(folder) })
  let current: readonly Alarm[] = ['disk_low', 'backup_failed']
  const parts = {
    ...{ store: storage.outbox, clock: Date.now, current: () => current },
    onFailure: (error: unknown) => {
      throw error
    },
  }
  await new Alarms(parts).look()
  await new Alarms(parts).look()
  current = ['backup_failed']
  await new Alarms(parts).look()
  const sent = (await receiver.until(3)).map(({ body }) => JSON.parse(body))
  expect(sent).toMatchObject([
    { type: 'health.alarm_raised', data: { after: { alarm: 'disk_low' }, app: null } },
    { type: 'backup.failed', data: { after: { alarm: 'backup_failed' } } },
    { type: 'health.alarm_cleared', data: { before: { alarm: 'disk_low' }, after: null } },
  ])
  expect(await auditOf(server, 'health.alarm_raised')).toHaveLength(2)
  await storage.close()
})
