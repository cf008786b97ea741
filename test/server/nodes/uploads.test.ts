// @module-tag postgresql

import { existsSync, readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { UPLOAD_LIFE } from '../../../src/server/hosting/uploads/uploads.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { serveWith } from '../../support/processes/cli.ts'
import { auditOf, RELEASES } from '../../support/servers/calls.ts'
import {
  builtFile,
  downloadUrl,
  PUBLIC_URL,
  tusOf,
  uploadFile,
} from '../../support/servers/hosting.ts'
import {
  bucketPlace,
  credentials,
  startS3,
  stubCredentials,
} from '../../support/servers/s3-server.ts'
import { startServer, startWithApp, type TestServer } from '../../support/servers/server.ts'

type Hosting = NonNullable<ServerConfigInput['hosting']>

interface Place {
  /** Of a node. */
  hosting(): Hosting
  /** Of a node that is a process. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The files and objects that there are. */
  kept(): string[]
}

async function sharedFolder(): Promise<Place> {
  const folder = join(temporaryFolder(), 'artifacts')
  const inside = (name: string) =>
    existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : []
  return {
    hosting: () => ({ publicUrl: PUBLIC_URL, folder }),
    ...{ args: ['--artifacts', folder], env: {} },
    kept: () => [...inside('uploads'), ...inside('files').filter((name) => !name.includes('.'))],
  }
}

async function bucket(): Promise<Place> {
  stubCredentials()
  const s3 = await startS3()
  const place = bucketPlace(s3, { prefix: 'files/', lookAgain: 100 })
  return {
    hosting: () => ({ publicUrl: PUBLIC_URL, folder: temporaryFolder(), bucket: place }),
    args: ['--artifacts', 's3://studio/files', '--s3-endpoint', s3.endpoint],
    env: credentials(),
    kept: () => s3.keys().map((key) => key.split('/')[1] ?? key),
  }
}

async function serves({ address }: Pick<TestServer, 'address'>): Promise<void> {
  await eventually(async () => expect((await fetch(`${address}/healthz`)).status).toBe(200))
}

async function twoNodes(place: Place, more: Partial<Hosting> = {}) {
  const database = await freshDatabase({ prepared: true })
  const hosting = { ...place.hosting(), ...more }
  const one = { ...(await startWithApp({ database, hosting })), hostingFolder: hosting.folder }
  const started = await startServer({ database, hosting: { ...place.hosting(), ...more } })
  // An upload goes on with the key that began it.
  const other = { ...started, key: one.key }
  await Promise.all([serves(one), serves(other)])
  return { database, one, other }
}

const at = ({ address }: Pick<TestServer, 'address'>, url: string) =>
  address + new URL(url).pathname
const offsetOf = ({ headers }: { headers: Headers }) => Number(headers.get('upload-offset'))

/** Begins to send more to an upload, and leaves the rest to the test. */
function beginToSend({ key }: TestServer, url: string, offset: number, content: Buffer) {
  const request = httpRequest(url, {
    method: 'PATCH',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0' },
      ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    },
  })
  const status = new Promise<number>((resolve, reject) => {
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
  })
  status.catch(() => {})
  request.write(content)
  onTestFinished(() => void request.destroy())
  return { status, end: () => request.end() }
}

describe.each([
  ['a shared folder', sharedFolder],
  ['a bucket', bucket],
])('in %s', (_, createPlace) => {
  test('an upload begins on one node, goes on at another and ends on the first', async () => {
    const place = await createPlace()
    const { one, other } = await twoNodes(place)
    const { content, sha512 } = builtFile(90_000)
    const begun = await tusOf(one).begin({ size: content.length, sha512 })
    await tusOf(one).append(begun.url, 0, content.subarray(0, 30_000))
    const there = at(other, begun.url)
    expect(offsetOf(await tusOf(other).state(there))).toBe(30_000)
    const found = await other.call('GET', `/api/v1/files/${sha512}`, { key: one.key })
    expect(found.body.upload).toMatchObject({ offset: 30_000, size: 90_000 })
    const more = await tusOf(other).append(there, 30_000, content.subarray(30_000, 60_000))
    expect([more.status, offsetOf(more)]).toEqual([204, 60_000])
    const last = await tusOf(one).append(begun.url, 60_000, content.subarray(60_000))
    expect(last.status).toBe(200)
    const { file } = JSON.parse(last.text)

    const download = await fetch(downloadUrl(other, file))
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
    for (const node of [one, other]) {
      expect(offsetOf(await tusOf(node).state(at(node, begun.url)))).toBe(90_000)
      const listed = (await node.call('GET', '/api/v1/files')).body
      expect(listed).toMatchObject({ bytes: 90_000, files: [{ sha512, uses: 0 }] })
    }
    const uploaded = (await auditOf(one)).filter(({ action }) => action === 'file.uploaded')
    expect(uploaded).toHaveLength(1)
    expect(place.kept()).toEqual([sha512])

    const artifacts = [{ platform: 'linux', arch: 'x64', url: file.url, sha512, size: 90_000 }]
    const body = publishBody('1.0.0', { artifacts })
    expect((await other.call('POST', RELEASES, { body })).status).toBe(201)
    expect((await one.call('DELETE', `/api/v1/files/${sha512}`)).status).toBe(422)
  })

  test('a file that one node has deleted cannot be published on another, and is gone there', async () => {
    const { one, other } = await twoNodes(await createPlace())
    const { content, sha512 } = builtFile(100)
    const { url } = await uploadFile(one, content)
    expect((await other.call('GET', '/api/v1/files')).body.files).toHaveLength(1)
    expect((await one.call('DELETE', `/api/v1/files/${sha512}`)).status).toBe(200)
    const artifacts = [{ platform: 'linux', arch: 'x64', url, sha512, size: 100 }]
    const body = publishBody('1.0.0', { artifacts })
    expect((await other.call('POST', RELEASES, { body })).status).toBe(400)
    expect((await fetch(downloadUrl(other, { url }), { redirect: 'manual' })).status).toBe(404)
    // The same file again, through the node that has not deleted it.
    await uploadFile(other, content)
    expect((await fetch(downloadUrl(one, { url }))).status).toBe(200)
  })

  test('of two nodes that append at the same place, one does', async () => {
    const place = await createPlace()
    const { one, other } = await twoNodes(place)
    const { content, sha512 } = builtFile(1_000)
    const { url } = await tusOf(one).begin({ size: 1_000, sha512 })
    const slow = beginToSend(one, url, 0, Buffer.from('another content'))
    const { incoming } = one.updates.uploadFiles(PRINCIPAL).hosting
    const [upload] = await incoming.list()
    expect(upload?.offset).toBe(0)
    await eventually(() => expect(arriving()).toBe(true))
    const fast = await tusOf(other).append(at(other, url), 0, content.subarray(0, 600))
    expect([fast.status, offsetOf(fast)]).toEqual([204, 600])
    slow.end()
    expect(await slow.status).toBe(409)
    const last = await tusOf(other).append(at(other, url), 600, content.subarray(600))
    expect(JSON.parse(last.text).file.sha512).toBe(sha512)
    expect(place.kept()).toEqual([sha512])

    function arriving(): boolean {
      const folder = join(one.hostingFolder, 'uploads')
      return readdirSync(folder).some((name) => name.endsWith('.part'))
    }
  })

  test('an upload goes on at another node after the one that received it was killed', async () => {
    const place = await createPlace()
    const { database, one } = await twoNodes(place)
    const args = ['--database', database, '--public-url', PUBLIC_URL, '--min-free-disk', '0']
    const killed = await serveWith(place.env, temporaryFolder(), ...args, ...place.args)
    onTestFinished(async () => void (await killed.stop('SIGKILL')))
    await serves(killed)
    const { content, sha512 } = builtFile(20 * 1_024 ** 2)
    const begun = await tusOf({ ...killed, key: one.key }).begin({ size: content.length, sha512 })
    expect(begun.status).toBe(201)
    beginToSend(one, begun.url, 0, content.subarray(0, 18 * 1_024 ** 2))
    const here = at(one, begun.url)
    await eventually(async () => {
      expect(offsetOf(await tusOf(one).state(here))).toBeGreaterThanOrEqual(16 * 1_024 ** 2)
    })
    await killed.stop('SIGKILL')
    const offset = offsetOf(await tusOf(one).state(here))
    const last = await tusOf(one).append(here, offset, content.subarray(offset))
    expect(JSON.parse(last.text).file.sha512).toBe(sha512)
  })

  test('the quota counts what all nodes receive, and uploads end a day after their last progress', async () => {
    const place = await createPlace()
    const { one, other } = await twoNodes(place, { quotaGiB: 1 })
    const { url } = await tusOf(one).begin({ size: 700_000_000 })
    await tusOf(other).append(at(other, url), 0, Buffer.from('abc'))
    const refused = await tusOf(other).begin({ size: 1_024 ** 3 - 1_000_000 })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('quota')])
    expect(place.kept()).toHaveLength(1)
    const { incoming } = other.updates.uploadFiles(PRINCIPAL).hosting
    await incoming.expire(Date.now() + UPLOAD_LIFE - 60_000)
    expect((await tusOf(one).state(url)).status).toBe(200)
    await incoming.expire(Date.now() + UPLOAD_LIFE + 60_000)
    for (const node of [one, other]) {
      expect((await tusOf(node).state(at(node, url))).status).toBe(404)
    }
    expect(place.kept()).toEqual([])
    expect((await tusOf(other).begin({ size: 700_000_000 })).status).toBe(201)
  })

  test('uploads of a key that one node has revoked end on all, and what others announce holds no space', async () => {
    const place = await createPlace()
    const { one, other } = await twoNodes(place, { quotaGiB: 1 })
    const key = await one.mint({ name: 'leaked' })
    const { url } = await tusOf(one).begin({ size: 1_000_000_000, key })
    await tusOf(one).append(url, 0, Buffer.from('abc'), key)
    const begun = await tusOf(other).begin({ size: 1_000_000_000 })
    expect(begun.status).toBe(201)
    await other.updates.revokeKey(PRINCIPAL, key.slice(0, 8))
    expect(place.kept()).toEqual([])
    const { uploads } = await one.updates.listUploads(PRINCIPAL)
    expect(uploads.map(({ id }) => id)).toEqual([begun.url.slice(-32)])
  })
})

test('a node with another folder than the others does not start; once they have stopped, it does', async () => {
  const [place, elsewhere] = [await sharedFolder(), await sharedFolder()]
  const { database, one, other } = await twoNodes(place)
  const { content, sha512 } = builtFile(100)
  await uploadFile(one, content)
  const start = () => startServer({ database, hosting: elsewhere.hosting() })
  await expect(start()).rejects.toMatchObject({
    problem: { code: 'locked', circumstance: { kind: 'files_elsewhere' } },
  })
  expect((await one.call('GET', '/api/v1/files')).body.files).toHaveLength(1)
  await one.stop()
  await other.stop()
  const next = await start()
  await serves(next)
  expect((await next.call('GET', '/api/v1/files')).body.files).toEqual([])
  expect(place.kept()).toEqual([sha512])
})
