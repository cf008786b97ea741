import { expect, onTestFinished, test, vi } from 'vitest'
import { UPLOAD_LIFE } from '../../../../src/server/hosting/uploads/uploads.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { auditOf } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { builtFile, startHosting, tusOf } from '../../../support/servers/hosting.ts'
import {
  BUCKET,
  bucketPlace,
  isPiece,
  PASS,
  startS3,
  stubCredentials,
} from '../../../support/servers/s3-server.ts'
import { request } from '../../../support/servers/server.ts'

const MINUTE = 60_000
/** Milliseconds between two looks at the alarms of a server. */
const ALARM_LOOK = 30_000

/** A server that looks at its bucket all the time, and looks at its alarms when `lookAtAlarms` is called. */
async function start() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  stubCredentials()
  const s3 = await startS3()
  const time = { now: Date.now() }
  const server = await startHosting(
    { bucket: bucketPlace(s3, { lookEvery: 20, lookAgain: 20 }) },
    {
      parts: { clock: () => time.now },
      config: { metrics: { host: '127.0.0.1', port: 0 } },
    },
  )
  const attention = async () => (await callerOf(server).overview.get()).attention.bucketOutage
  const isFailing = async () => {
    const { text } = await request(server.metricsAddress ?? '', 'GET')
    return /^tidegate_bucket_failing (\d)$/m.exec(text)?.[1]
  }
  const lookAtAlarms = () => vi.advanceTimersByTime(ALARM_LOOK)
  const raised = async () => {
    const entries = await auditOf(server)
    return entries.filter(({ action }) => action.startsWith('health.')).map(({ action }) => action)
  }
  return { s3, server, tus: tusOf(server), time, attention, isFailing, lookAtAlarms, raised }
}

/** Uploads a file as far as the server, and returns its status. */
async function upload(tus: ReturnType<typeof tusOf>, name: string) {
  const { content, sha512 } = builtFile(1_000)
  const { url } = await tus.begin({ name, size: 1_000, sha512 })
  return { url, sha512, status: (await tus.append(url, 0, content)).status }
}

test('a bucket that cannot be read for a while is an alarm, until it can be', async () => {
  const { s3, time, attention, isFailing, lookAtAlarms, raised } = await start()
  expect(await isFailing()).toBe('0')
  s3.fault = ({ operation }) => (operation === 'GET list' ? 403 : PASS)
  await expect.poll(isFailing).toBe('1')
  const since = time.now
  time.now += MINUTE
  expect(await attention()).toBeNull()
  time.now += MINUTE
  expect(await attention()).toEqual({
    facts: expect.objectContaining({ bucket: BUCKET, trouble: 'access_denied' }),
    since: new Date(since).toISOString(),
  })
  lookAtAlarms()
  await expect.poll(raised).toEqual(['health.alarm_raised'])

  s3.fault = () => PASS
  await expect.poll(attention).toBeNull()
  expect(await isFailing()).toBe('0')
  lookAtAlarms()
  await expect.poll(raised).toEqual(['health.alarm_raised', 'health.alarm_cleared'])
})

test('a bucket that is full is an alarm, until it stores what has arrived, for which nobody has to ask', async () => {
  const { s3, server, tus, time, attention, isFailing } = await start()
  s3.fault = ({ operation }) => (operation === 'PUT object' ? 507 : PASS)
  const { sha512, status } = await upload(tus, 'Editor.exe')
  expect([status, await isFailing()]).toEqual([503, '1'])
  time.now += 2 * MINUTE
  expect(await attention()).toMatchObject({ facts: { trouble: 'bucket_full' } })

  s3.fault = () => PASS
  await expect.poll(() => s3.keys()).toEqual([`${sha512}/Editor.exe`])
  await expect.poll(attention).toBeNull()
  const uploaded = await auditOf(server, 'file.uploaded')
  expect(uploaded).toHaveLength(1)
})

test.runIf(isOnPostgres)(
  'a bucket that takes no piece of an upload is an alarm, until it does again',
  async () => {
    const { s3, tus, time, attention, isFailing } = await start()
    s3.fault = ({ operation }) => (operation === 'PUT piece' ? 507 : PASS)
    const { url, status } = await upload(tus, 'Editor.exe')
    expect([status, await isFailing()]).toEqual([503, '1'])
    time.now += 2 * MINUTE
    expect(await attention()).toMatchObject({ facts: { trouble: 'bucket_full' } })
    s3.fault = () => PASS
    await expect.poll(attention).toBeNull()
    expect(s3.keys()).toEqual([])
    expect((await tus.state(url)).headers.get('upload-offset')).toBe('0')
  },
)

test('a file that the bucket always refuses holds up no other, and is forgotten with its upload', async () => {
  const { s3, server, tus, isFailing } = await start()
  s3.fault = ({ operation }) => (operation === 'PUT object' ? 400 : PASS)
  const refused = await upload(tus, 'Refused.exe')
  const other = await upload(tus, 'Other.exe')
  expect([refused.status, other.status]).toEqual([503, 503])
  s3.fault = ({ operation, path }) =>
    operation === 'PUT object' && path.endsWith('Refused.exe') ? 400 : PASS
  const files = () => s3.keys().filter((key) => !isPiece(key))
  await expect.poll(files).toEqual([`${other.sha512}/Other.exe`])
  expect(await isFailing()).toBe('1')
  const { incoming } = server.updates.uploadFiles(PRINCIPAL).hosting
  // It is not deleted while it is being tried.
  const expired = async () => {
    await incoming.expire(Date.now() + UPLOAD_LIFE + MINUTE)
    return await isFailing()
  }
  await expect.poll(expired).toBe('0')
  expect((await tus.state(refused.url)).status).toBe(404)
})
