import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { auditOf, publish, setPolicy } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { PLACE, startProven } from '../../../support/servers/proven.ts'
import { startReceiver, webhookInput } from '../../../support/servers/receiver.ts'
import type { TestServer } from '../../../support/servers/server.ts'
import { countStored, refuseRows } from '../../../support/servers/stored.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const isPublished = ({ status }: { status: string }) => status === 'published'

/** What people have been told of proofs, oldest first. */
const proofEntries = async (server: TestServer) =>
  (await auditOf(server)).filter(({ action }) => action.startsWith('artifact.'))

test('a dead link of a release that waits is tried again, and is no news twice', async () => {
  const world = await startProven('required')
  const { server, files, time } = world
  await world.publish('1.0.0', null)
  await world.proof('1.0.0')
  const asked = (count: number) => eventually(() => expect(files.asked).toHaveLength(count))
  for (const [count, minutes] of [
    [2, 1],
    [3, 5],
    [4, 15],
    [5, 60],
    [6, 60],
  ] as const) {
    time.now += minutes * MINUTE
    await asked(count)
    await world.proof('1.0.0')
  }
  expect(await proofEntries(server)).toMatchObject([
    {
      ...{ action: 'artifact.failed', actor: { name: 'server' }, version: '1.0.0' },
      ...{ before: null, after: { platform: 'darwin', failure: { status: 404 } } },
    },
  ])
  files.put('/1.0.0', world.bytes)
  time.now += 60 * MINUTE
  await world.until('1.0.0', isPublished)
  expect((await proofEntries(server)).slice(1)).toMatchObject([
    { action: 'artifact.proven', before: { failure: { status: 404 } } },
  ])
})

test('what is served is proven daily; a changed file raises an alarm before a device finds it', async () => {
  const receiver = await startReceiver()
  const world = await startProven('warn', { webhooks: { privateHosts: [receiver.host] } })
  const { server, files, time } = world
  const console = callerOf(server)
  const events = ['artifact.failed', 'artifact.proven'] as const
  const { url } = receiver
  await console.webhooks.create(webhookInput({ url, events: [...events], app: 'editor' }))
  expect(await world.publish('1.0.0')).toMatchObject({ status: 'published' })
  await world.proof('1.0.0')
  // Not offered to anybody: 1.1.0 is for all devices.
  await world.publish('1.1.0')
  await world.proof('1.1.0')
  expect(files.asked).toEqual(['/1.0.0', '/1.1.0'])
  files.put('/1.1.0', randomBytes(10_000))
  time.now += DAY
  await receiver.until(1)
  expect(files.asked).toEqual(['/1.0.0', '/1.1.0', '/1.1.0'])
  const failing = {
    ...{ app: 'editor', channel: 'stable', version: '1.1.0', platform: 'darwin', arch: 'aarch64' },
    ...{ failure: { code: 'hash_differs' }, since: new Date(time.now).toISOString() },
  }
  const { attention } = await console.overview.get()
  expect(attention).toMatchObject({ artifacts: [failing], moreArtifacts: 0 })
  files.put('/1.1.0', world.bytes)
  await server.updates.startProof(PRINCIPAL, { ...PLACE, version: '1.1.0' })
  const sent = (await receiver.until(2)).map(({ body }) => JSON.parse(body))
  expect(sent).toMatchObject([
    { type: 'artifact.failed', data: { version: '1.1.0', after: { arch: 'aarch64' } } },
    { type: 'artifact.proven', data: { version: '1.1.0', before: { arch: 'aarch64' } } },
  ])
  expect((await console.overview.get()).attention.artifacts).toEqual([])
})

test('what can pass by itself is news only when it has not', async () => {
  const world = await startProven('warn')
  const { server, files, time } = world
  files.put('/1.0.0', (response) => response.writeHead(503).end())
  await world.publish('1.0.0', null)
  await world.proof('1.0.0')
  const asked = (count: number) => eventually(() => expect(files.asked).toHaveLength(count))
  time.now += MINUTE
  await asked(2)
  await world.proof('1.0.0')
  expect(await proofEntries(server)).toEqual([])
  time.now += 5 * MINUTE
  await eventually(async () => expect(await proofEntries(server)).toHaveLength(1))
})

test('without a policy nothing is fetched, also of what was proven before', async () => {
  const world = await startProven('warn')
  const { server, files, time } = world
  await world.publish('1.0.0')
  await world.proof('1.0.0')
  await setPolicy(server, { proving: 'off' })
  await world.publish('1.1.0')
  time.now += 2 * DAY
  // A release that the schedule finds later is proven; those from before were left alone by the same look.
  await server.updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  const beta = { app: 'editor', channel: 'beta' }
  await server.updates.setChannelPolicy(PRINCIPAL, { ...beta, change: { proving: 'warn' } })
  await publish(server, '2.0.0', { ...beta, artifacts: [artifact({ url: `${files.url}/beta` })] })
  await eventually(() => expect(files.asked).toEqual(['/1.0.0', '/beta']))
})

test('other settings have what is served proven again', async () => {
  const world = await startProven('warn')
  const { server, files } = world
  await world.publish('1.0.0')
  await world.proof('1.0.0')
  await server.updates.setProving(PRINCIPAL, {
    app: 'editor',
    change: { hosts: [files.host, 'downloads.example'] },
  })
  await eventually(() => expect(files.asked).toHaveLength(2))
})

test('a canceled proof leaves everything as it was, and is not begun again soon', async () => {
  const world = await startProven('required')
  const { server, files } = world
  const closed = Promise.withResolvers<void>()
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  files.put('/1.0.0', (response) => {
    response.on('close', () => closed.resolve())
    resolve()
  })
  await world.publish('1.0.0', null)
  await asked
  const release = { ...PLACE, version: '1.0.0' }
  await server.updates.cancelProof(PRINCIPAL, release)
  await closed.promise
  await eventually(async () => {
    const proof = await server.updates.showProof(PRINCIPAL, release)
    expect(proof).toMatchObject({ state: 'unproven', awaitsProof: true })
  })
  // Another release is begun by a look after that; the canceled one was left alone by it.
  await world.publish('1.1.0')
  await world.until('1.1.0', isPublished)
  expect(files.asked).toEqual(['/1.0.0', '/1.1.0'])
})

test('the proofs of a channel or an app go with it', async () => {
  const world = await startProven('warn')
  const { server } = world
  await world.publish('1.0.0')
  await world.proof('1.0.0')
  expect(await countStored(server, 'proofs')).toEqual([1])
  await server.updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
  await callerOf(server).apps.remove({ ref: 'editor', confirmation: 'editor' })
  expect(await countStored(server, 'proofs')).toEqual([0])
})

test('a schedule that cannot record what it finds needs attention, and goes on later', async () => {
  const world = await startProven('warn')
  const { server, files, time } = world
  const failed = async () => (await callerOf(server).overview.get()).attention.provingFailed
  expect(await failed()).toBe(false)
  const accept = await refuseRows(server, 'proofs')
  await world.publish('1.0.0')
  await eventually(async () => expect(await failed()).toBe(true))
  expect(files.asked).toHaveLength(1)
  await accept()
  time.now += 15 * MINUTE
  expect(await world.proof('1.0.0')).toMatchObject({ state: 'proven' })
  await eventually(async () => expect(await failed()).toBe(false))
})
