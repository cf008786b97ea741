import { expect, test } from 'vitest'
import { lookAtAlarms } from '../../../../src/server/outbound/outbox/alarms.ts'
import { attachStorage } from '../../../../src/server/storage/open-storage.ts'
import { DEFAULT_CHOICES } from '../../../../src/shared/events/notice.ts'
import type { Alarm } from '../../../../src/shared/events/webhook.ts'
import { eventually } from '../../../support/eventually.ts'
import { raiseAlarm } from '../../../support/servers/alarms.ts'
import { startBrowserConsole } from '../../../support/servers/browser.ts'
import { auditOf, publish } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { databaseOf } from '../../../support/servers/engine.ts'
import { startMailServer } from '../../../support/servers/mail-server.ts'
import { startReceiver, webhookInput } from '../../../support/servers/receiver.ts'
import { startServer } from '../../../support/servers/server.ts'
import { firstAdministrator } from '../../../support/servers/signed-in.ts'
import { storedColumn } from '../../../support/servers/stored.ts'

test('an alarm is an event when it begins and when it ends, and not again after a restart', async () => {
  const receiver = await startReceiver()
  const server = await startServer({ webhooks: { privateHosts: [receiver.host] } })
  await callerOf(server).webhooks.create(webhookInput({ url: receiver.url }))
  const { folder } = server
  const storage = await attachStorage({ dataFolder: folder, database: await databaseOf(folder) })
  let current: readonly Alarm[] = ['disk_low', 'backup_failed']
  const parts = { store: storage.outbox, clock: Date.now, current: () => current }
  await lookAtAlarms(parts)
  await lookAtAlarms(parts)
  current = ['backup_failed']
  await lookAtAlarms(parts)
  const sent = (await receiver.until(3)).map(({ body }) => JSON.parse(body))
  expect(sent).toMatchObject([
    { type: 'health.alarm_raised', data: { after: { alarm: 'disk_low' }, app: null } },
    { type: 'backup.failed', data: { after: { alarm: 'backup_failed' } } },
    { type: 'health.alarm_cleared', data: { before: { alarm: 'disk_low' }, after: null } },
  ])
  expect(await auditOf(server, 'health.alarm_raised')).toHaveLength(2)
  await storage.close()
})

test('in the night an alarm is mailed at once, its end after quiet hours, and releases as one summary', async () => {
  const smtp = await startMailServer()
  let now = Date.parse('2027-03-15T01:00:00Z')
  const mail = { host: '127.0.0.1', port: smtp.port, tls: 'none', login: null } as const
  const config = { mail: { ...mail, from: 'tg@example.com' } }
  const server = await startBrowserConsole(config, { clock: () => now })
  await callerOf(server).apps.create({ ref: 'editor', name: 'Editor' })
  await eventually(async () => {
    const [since] = await storedColumn(server, 'SELECT mail_since FROM outbox_state')
    expect(since).not.toBeNull()
  })
  const ada = await firstAdministrator(server)
  const own = async (procedure: string, input: unknown) =>
    expect((await ada.call(`account/own.${procedure}`, input)).status).toBe(200)
  await own('setEmail', { email: 'ada@example.com', seen: null })
  await own('notifications.choose', {
    ...DEFAULT_CHOICES,
    ...{ quietHours: { from: '22:00', to: '07:00' }, digestAt: '08:00' },
    mail: { ...DEFAULT_CHOICES.mail, releases: 'digest' },
  })
  await publish(server, '1.0.0')
  await publish(server, '1.1.0')
  await raiseAlarm(server, () => now)
  const subjects = async (count: number) =>
    (await smtp.until(count)).map(({ source }) => /^Subject: (.+)$/m.exec(source)?.[1]?.trim())
  const mailed = ['[Tidegate] Alarm: the disk is almost full']
  expect(await subjects(1)).toEqual(mailed)
  now = Date.parse('2027-03-15T07:00:00Z')
  mailed.push('[Tidegate] Resolved: the disk is almost full')
  expect(await subjects(2)).toEqual(mailed)
  now = Date.parse('2027-03-15T08:00:00Z')
  mailed.push('[Tidegate] Summary: 2 events')
  expect(await subjects(3)).toEqual(mailed)
  const summary = smtp.mails.at(-1)?.source
  expect(summary).toContain('1.0.0')
  expect(summary).toContain('1.1.0')
})
