import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  isBucketAddress,
  readBucketAddress,
} from '../../../src/server/hosting/bucket/bucket-address.ts'
import { bucketFailure } from '../../../src/server/hosting/bucket/bucket-failure.ts'
import { objectKey, readObjectKey } from '../../../src/server/hosting/bucket/object-key.ts'
import type { FileStore } from '../../../src/server/hosting/file-store.ts'
import { openOwn } from '../../../src/server/hosting/shared/open-shared.ts'
import { HostedFileName } from '../../../src/shared/files/hosted-file.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { builtFile } from '../../support/servers/hosting.ts'
import {
  bucketPlace,
  PASS,
  type S3Server,
  startS3,
  stubCredentials,
} from '../../support/servers/s3-server.ts'

const DAY = 24 * 60 * 60_000

async function open(s3: S3Server, clock = Date.now, failures: unknown[] = [], place = {}) {
  const store = await openOwn({
    ...{ bucket: bucketPlace(s3, place), folder: temporaryFolder(), clock, onLost: () => {} },
    onFailure: (error) => failures.push(error),
  })
  onTestFinished(() => store.stop())
  return store
}

async function addFile(store: FileStore, size = 10) {
  const { content, sha512 } = builtFile(size)
  const path = join(temporaryFolder(), 'upload')
  writeFileSync(path, content)
  return await store.add(path, { sha512, name: 'Editor.exe', size })
}

test('parts that could not be deleted are deleted a day later; other keys of the bucket are left alone', async () => {
  stubCredentials()
  const s3 = await startS3()
  const store = await open(s3)
  await store.ready()
  s3.fault = ({ operation }) => (/^(PUT part|DELETE parts)$/.test(operation) ? 403 : PASS)
  const size = 9 * 1_024 ** 2
  await expect(addFile(store, size)).rejects.toThrow()
  s3.fault = () => PASS
  expect(s3.unfinished()).toHaveLength(1)
  await (await open(s3)).ready()
  expect(s3.unfinished()).toHaveLength(1)
  s3.beginUpload('videos/intro.mp4')
  await open(s3, () => Date.now() + DAY + 60_000)
  await expect.poll(() => s3.unfinished()).toEqual(['videos/intro.mp4'])
})

test('a file that was taken away stays unknown while its object is still listed', async () => {
  stubCredentials()
  const s3 = await startS3()
  const store = await open(s3, Date.now, [], { lookEvery: 20 })
  await store.ready()
  const file = await addFile(store)
  await store.remove(file)
  const looks = () => s3.requests.filter(({ operation }) => operation === 'GET list').length
  const begun = looks()
  // One that began later has ended when the one after it begins.
  await expect.poll(looks).toBeGreaterThan(begun + 2)
  expect([s3.keys().length, store.find(file.sha512)]).toEqual([1, undefined])
  await store.deleteRemoved()
  expect(s3.keys()).toEqual([])
})

test('a file is taken away at once while the bucket is asked whether its object is there', async () => {
  stubCredentials()
  const s3 = await startS3()
  const store = await open(s3, Date.now, [], { lookEvery: 20 })
  await store.ready()
  const file = await addFile(store)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<undefined>()
  s3.fault = ({ operation }) => {
    if (operation !== 'HEAD object') return PASS
    asked.resolve()
    return answer.promise
  }
  for (const key of s3.keys()) rmSync(s3.fileOf(key))
  await asked.promise
  expect(await store.remove(file)).toBe(true)
  expect(store.find(file.sha512)).toBeUndefined()
  answer.resolve(PASS)
})

test('what is in the bucket at the start is known without a request for each file', async () => {
  stubCredentials()
  const s3 = await startS3()
  const store = await open(s3)
  await store.ready()
  const { sha512 } = await addFile(store)
  const asked = s3.requests.length
  const again = await open(s3)
  await again.ready()
  expect(again.list()).toMatchObject([{ sha512, size: 10 }])
  const operations = s3.requests.slice(asked).map(({ operation }) => operation)
  expect(operations.filter((operation) => !/^GET (list|uploads)$/.test(operation))).toEqual([])
})

test('a server that does not list unfinished uploads is used all the same', async () => {
  stubCredentials()
  const s3 = await startS3()
  s3.fault = ({ operation }) => (operation === 'GET uploads' ? 501 : PASS)
  const failures: unknown[] = []
  const store = await open(s3, Date.now, failures, { lookEvery: 20 })
  const looks = () => s3.requests.filter(({ operation }) => operation === 'GET list').length
  // The second look comes after all that the first one did.
  await expect.poll(looks).toBeGreaterThan(1)
  expect(s3.requests.map(({ operation }) => operation)).toContain('GET uploads')
  expect(failures).toEqual([])
  expect(store.list()).toEqual([])
})

test('without credentials, that is what is said', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) {
    vi.stubEnv(name, undefined)
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  const none = join(temporaryFolder(), 'none')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', none)
  vi.stubEnv('AWS_CONFIG_FILE', none)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const s3 = await startS3()
  const store = await open(s3)
  await expect(store.ready()).rejects.toMatchObject({ facts: { trouble: 'no_credentials' } })
  expect(s3.requests).toEqual([])
})

const NAMES = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((name) => HostedFileName.safeParse(name).success)

test('a key has the name, in characters that every server stores, and within what they can name', () => {
  const { sha512 } = builtFile(1)
  fc.assert(
    fc.property(NAMES, (name) => {
      const key = objectKey('apps/', { sha512, name })
      expect(readObjectKey('apps/', key)?.sha512).toBe(sha512)
      expect(key.slice(`apps/${sha512}/`.length)).toMatch(/^[\p{L}\p{M}\p{N}._=-]+$/u)
    }),
  )
  const ordinary = "Editor 1.0 (x64) – größe+50%_it's.exe"
  expect(readObjectKey('', objectKey('', { sha512, name: ordinary }))?.name).toBe(ordinary)
  const long = objectKey('', { sha512, name: '漢'.repeat(128) })
  expect(Buffer.byteLength(long.split('/')[1] ?? '')).toBeLessThanOrEqual(200)
  expect(readObjectKey('', long)?.name).toMatch(/^漢+$/)
})

test('other keys are none of the server', () => {
  const { sha512 } = builtFile(1)
  for (const key of [`${sha512}/a`, `apps/${sha512}`, `apps/${sha512}/a/b`, 'apps/notes/a', '']) {
    expect.soft(readObjectKey('apps/', key), key).toBeUndefined()
  }
  // A name that somebody wrote by hand.
  expect(readObjectKey('', `${sha512}/=ZZ`)?.name).toBe(sha512.slice(0, 32))
})

test.each([
  ['s3://studio', { bucket: 'studio', prefix: '' }],
  ['s3://studio/', { bucket: 'studio', prefix: '' }],
  ['S3://my.studio-1/tidegate', { bucket: 'my.studio-1', prefix: 'tidegate/' }],
  ['s3://studio/a/b.c_d-e/', { bucket: 'studio', prefix: 'a/b.c_d-e/' }],
  ['s3://', undefined],
  ['s3:studio', undefined],
  ['s3://Studio', undefined],
  ['s3://studio//a', undefined],
  ['s3://studio/../a', undefined],
  ['s3://studio/größe', undefined],
  ['s3://key:secret@studio/a', undefined],
  [`s3://studio/${'a/'.repeat(300)}`, undefined],
])('the address %s', (text, expected) => {
  expect(isBucketAddress(text)).toBe(true)
  expect(readBucketAddress(text)).toEqual(expected)
})

test('a folder is none', () => {
  for (const text of ['/srv/artifacts', 'artifacts', 'C:\\s3', 's3', './s3:']) {
    expect.soft(isBucketAddress(text), text).toBe(false)
  }
})

const answer = (status: number, name: string) => ({ name, $metadata: { httpStatusCode: status } })

test.each([
  [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'unreachable', 'ECONNREFUSED'],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [answer(403, 'InvalidAccessKeyId'), 'credentials_rejected', 'InvalidAccessKeyId'],
  [answer(403, 'AccessDenied'), 'access_denied', 'AccessDenied'],
  [answer(403, '403'), 'access_denied', '403'],
  [answer(404, 'NoSuchBucket'), 'no_bucket', 'NoSuchBucket'],
  [answer(301, 'PermanentRedirect'), 'wrong_region', 'PermanentRedirect'],
  [answer(403, 'RequestTimeTooSkewed'), 'clock_differs', 'RequestTimeTooSkewed'],
  [answer(507, 'XMinioStorageFull'), 'bucket_full', 'XMinioStorageFull'],
  [answer(503, 'SlowDown'), 'failing', 'SlowDown'],
  [answer(400, 'InvalidArgument'), 'rejected', 'InvalidArgument'],
  [new Error('Region is missing'), 'no_region', 'Error'],
  [{ name: 'a<b>"c'.repeat(50) }, 'unreachable', 'abc'.repeat(22).slice(0, 64)],
  ['nothing', 'unreachable', ''],
])('the trouble of %o', (error, trouble, detail) => {
  const facts = { code: 'bucket_unavailable', bucket: 'studio', trouble, detail }
  expect(bucketFailure('studio', error).facts).toEqual(facts)
})
