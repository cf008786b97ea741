import { expect, onTestFinished, test } from 'vitest'
import { backupDatabase } from '../../../../src/server/storage/sqlite/backup/backup.ts'
import { restoreDatabase } from '../../../../src/server/storage/sqlite/backup/restore.ts'
import { DEFAULT_CHOICES } from '../../../../src/shared/events/notice.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { startBrowserConsole } from '../../../support/servers/browser.ts'
import { publish } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import {
  allowPush,
  openPushService,
  type SubscribedBrowser,
} from '../../../support/servers/push-service.ts'
import { startReceiver, webhookInput } from '../../../support/servers/receiver.ts'
import { startServer, startWithApp } from '../../../support/servers/server.ts'
import { firstAdministrator } from '../../../support/servers/signed-in.ts'
import { storedColumn } from '../../../support/servers/stored.ts'

test('a restored backup sends push notifications to the browsers of now, under the key that they know', async () => {
  const service = await openPushService()
  onTestFinished(() => service.stop())
  const folder = temporaryFolder()
  const config = { dataFolder: folder, ...allowPush(service.host) }
  const server = await startBrowserConsole(config)
  const ada = await firstAdministrator(server)
  const accountId = server.people.list()[0]?.id ?? ''
  const add = (browser: SubscribedBrowser) =>
    ada.call('account/own.notifications.addBrowser', browser.subscription)
  const [removed, kept] = [service.subscribe(), service.subscribe()]
  const { id } = (await add(removed)).data
  await server.notifications.choose(accountId, { ...DEFAULT_CHOICES, timeZone: 'Asia/Tokyo' })
  const backup = `${temporaryFolder()}/backup.db`
  await backupDatabase(folder, backup)
  await ada.call('account/own.notifications.removeBrowser', { id })
  await add(kept)
  await service.until(2)
  const { pushKey } = await server.notifications.of(accountId)
  await server.stop()
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const restored = await startBrowserConsole(config)
  const after = await restored.notifications.of(accountId)
  expect(after).toMatchObject({ pushKey, choices: { timeZone: 'Asia/Tokyo' } })
  expect(after.browsers).toHaveLength(1)
  expect(await storedColumn(restored, 'SELECT endpoint FROM push_subscriptions')).toEqual([
    kept.subscription.endpoint,
  ])
  expect(service.pushed).toHaveLength(2)
})

test('a restored backup sends nothing again, and what happens from then on', async () => {
  const receiver = await startReceiver({ status: 500 })
  const folder = temporaryFolder()
  const config = { dataFolder: folder, webhooks: { privateHosts: [receiver.host] } }
  const server = await startWithApp(config)
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  const { webhook: later } = await console.webhooks.create(
    webhookInput({ name: 'Deleted later', url: receiver.url, events: ['backup.failed'] }),
  )
  await publish(server, '1.0.0')
  await receiver.until(1)
  // One delivery waits, and one entry of the log may not have been turned into one.
  const backup = `${temporaryFolder()}/backup.db`
  await publish(server, '1.1.0')
  await backupDatabase(folder, backup)
  receiver.answer({ status: 200 })
  await console.webhooks.remove({ id: later.id })
  await server.stop()
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const before = receiver.received.length
  const restored = await startServer(config)
  await publish(restored, '2.0.0')
  const sent = await receiver.until(before + 1)
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({ data: { version: '2.0.0' } })
  const again = callerOf(restored)
  await eventually(async () => {
    const states = (await again.webhooks.deliveries({ id: webhook.id })).map(({ state }) => state)
    expect(states).toContain('delivered')
    expect(states).not.toContain('pending')
  })
  expect(receiver.received.length).toBe(before + 1)
  expect(await again.webhooks.list()).toMatchObject([
    { id: webhook.id, disabled: null },
    { id: later.id, disabled: { by: 'restore' } },
  ])
})
