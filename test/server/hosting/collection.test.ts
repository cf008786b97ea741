import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditEntry } from '../../../src/server/catalog/audit-log.ts'
import { FILE_LIFE } from '../../../src/server/hosting/collection.ts'
import type { StoredFile } from '../../../src/server/hosting/file-index.ts'
import { Hosting } from '../../../src/server/hosting/hosting.ts'
import { UPLOAD_LIFE } from '../../../src/server/hosting/uploads/uploads.ts'
import { SoleLeaderFacts } from '../../../src/server/storage/sqlite/engine/sqlite-storage.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { ACTOR, PRINCIPAL } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { eventually } from '../../support/eventually.ts'
import { RELEASES } from '../../support/servers/calls.ts'
import {
  builtFile,
  noPatches,
  PUBLIC_URL,
  startHosting,
  uploadFile,
} from '../../support/servers/hosting.ts'
import { startServer } from '../../support/servers/server.ts'

const UPLOADED = auditEntry('2026-01-01T00:00:00.000Z', ACTOR, 'file.uploaded', {}, null, null)
const RUNNING = new AbortController().signal

/** Stored files without a server. `named`: what releases name. */
async function open(folder = join(temporaryFolder(), 'artifacts')) {
  const named = new Set<string>()
  const deleted: StoredFile[] = []
  let now = Date.now()
  let isFailing = false
  const hosting = await Hosting.open({
    ...{ folder, publicUrl: 'https://updates.example', quotaBytes: 0, minFreeBytes: 0 },
    whileNobodyNames: (work) => work(),
    record: async () => {},
    facts: new SoleLeaderFacts(),
    named: async () => {
      if (isFailing) throw new Error('no database')
      return named
    },
    clock: () => now,
    onDeleted: (file) => deleted.push(file),
    onFailure: () => {},
    onLost: () => {},
    ...{ storeWithin: 60_000, mapWithin: 60_000 },
    onMakingFailure: () => {},
    patching: noPatches,
    onMapRefused: () => {},
    onBucketFailure: () => {},
    shares: async () => (owner) => owner,
    onDropped: () => {},
  })
  const later = (milliseconds: number) => {
    now += milliseconds
  }
  const fail = () => {
    isFailing = true
  }
  return { hosting, folder, named, deleted, later, fail }
}

async function* pieces(...contents: Buffer[]) {
  yield* contents
}

async function store({ incoming }: Hosting, content: Buffer, name = 'Editor.exe') {
  const id = (
    await incoming.create(crypto.randomUUID().replaceAll('-', ''), 'me', {
      ...{ name, size: content.length, sha512: null },
    })
  ).id
  await incoming.append(id, 0, pieces(content))
  return await incoming.finish(id, () => UPLOADED)
}

test('a file that nothing names is deleted after a day with its block map, those that a release names stay', async () => {
  const { hosting, folder, named, deleted, later } = await open()
  const used = await store(hosting, builtFile(10).content)
  const unused = await store(hosting, builtFile(10).content)
  named.add(used.sha512)
  for (const file of [used, unused]) {
    expect(await hosting.blockMaps.find(file, 1)).toMatchObject({ state: 'made' })
  }
  await hosting.collection.collect(RUNNING)
  expect(hosting.stored.list()).toHaveLength(2)
  later(FILE_LIFE + 60_000)
  await hosting.collection.collect(RUNNING)
  expect(deleted.map(({ sha512 }) => sha512)).toEqual([unused.sha512])
  expect(readdirSync(join(folder, 'files')).sort()).toEqual([used.sha512, `${used.sha512}.json`])
  await eventually(() => expect(readdirSync(join(folder, 'blockmaps'))).toEqual([used.sha512]))
})

test('a file that somebody asks for is kept for another day', async () => {
  const { hosting, later, deleted } = await open()
  const file = await store(hosting, builtFile(10).content)
  later(FILE_LIFE - 60_000)
  await hosting.stored.keepIfIntact(file.sha512)
  await hosting.collection.collect(RUNNING)
  expect(deleted).toEqual([])
})

test('a round ends when it is stopped', async () => {
  const { hosting, later, deleted } = await open()
  await store(hosting, builtFile(10).content)
  later(FILE_LIFE + 60_000)
  await hosting.collection.collect(AbortSignal.abort())
  expect(deleted).toEqual([])
})

test('a round that failed can be seen, and nothing was deleted', async () => {
  const { hosting, later, deleted, fail } = await open()
  await store(hosting, builtFile(10).content)
  later(FILE_LIFE + 60_000)
  fail()
  hosting.collection.job.start()
  await expect.poll(async () => (await hosting.collection.state()).failure).toBe('no database')
  await hosting.collection.job.stop()
  expect(deleted).toEqual([])
})

test('an upload that nobody goes on with is deleted after a day, also after a restart', async () => {
  const { hosting, folder, later } = await open()
  const id = 'ab'.repeat(16)
  await hosting.incoming.create(id, 'me', { name: 'Editor.exe', size: 20, sha512: null })
  await hosting.incoming.append(id, 0, pieces(Buffer.from('0123456789')))
  const other = await open(folder)
  expect(await other.hosting.incoming.find(id)).toMatchObject({ offset: 10, size: 20, owner: 'me' })
  later(UPLOAD_LIFE - 60_000)
  await hosting.collection.collect(RUNNING)
  expect(await hosting.incoming.find(id)).toBeDefined()
  other.later(UPLOAD_LIFE + 60_000)
  await other.hosting.collection.collect(RUNNING)
  expect(await other.hosting.incoming.find(id)).toBeUndefined()
  expect(readdirSync(join(folder, 'uploads'))).toEqual([])
})

test('after a restart the hash is that of all bytes, and a name that is gone is replaced', async () => {
  const { content, sha512 } = builtFile(1_000)
  const { hosting, folder } = await open()
  const id = 'cd'.repeat(16)
  await hosting.incoming.create(id, 'me', { name: 'Editor.exe', size: 1_000, sha512 })
  await hosting.incoming.append(id, 0, pieces(content.subarray(0, 600)))
  const second = (await open(folder)).hosting
  await second.incoming.append(id, 600, pieces(content.subarray(600, 700), content.subarray(700)))
  expect(await second.incoming.finish(id, () => UPLOADED)).toMatchObject({ sha512, size: 1_000 })
  expect((await open(folder)).hosting.stored.find(sha512)).toMatchObject({ name: 'Editor.exe' })
  rmSync(join(folder, 'files', `${sha512}.json`))
  writeFileSync(join(folder, 'files', 'notes.txt'), 'by hand')
  const third = (await open(folder)).hosting
  expect(third.stored.list()).toMatchObject([{ sha512, name: sha512.slice(0, 32), size: 1_000 }])
})

test('what a connection brought before it broke is kept, and the rest follows', async () => {
  const { hosting } = await open()
  const { content, sha512 } = builtFile(1_000)
  const id = 'ef'.repeat(16)
  await hosting.incoming.create(id, 'me', { name: 'Editor.exe', size: 1_000, sha512 })
  async function* broken() {
    yield content.subarray(0, 300)
    throw new Error('reset')
  }
  await expect(hosting.incoming.append(id, 0, broken())).rejects.toThrow('reset')
  expect((await hosting.incoming.find(id))?.offset).toBe(300)
  await hosting.incoming.append(id, 300, pieces(content.subarray(300)))
  expect((await hosting.incoming.finish(id, () => UPLOADED)).sha512).toBe(sha512)
})

test('a server deletes what no release names, and keeps what one does, whatever its status', async () => {
  let offset = 0
  const clock = () => Date.now() + offset
  const server = await startHosting({}, { parts: { clock } })
  const upload = () => uploadFile(server, builtFile(100).content)
  const [used, unused] = [await upload(), await upload()]
  const artifactOf = ({ url, sha512, size }: typeof used) => {
    const base64 = Buffer.from(sha512, 'hex').toString('base64')
    return { platform: 'linux', arch: 'x64', url, sha512: base64, size }
  }
  const body = publishBody('1.0.0', { artifacts: [artifactOf(used)] })
  await server.call('POST', RELEASES, { body })
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  await server.call('PATCH', RELEASES, { body: { ...place, status: 'rolled_back' } })
  const [ofDraft, ofRequest] = [await upload(), await upload()]
  const draft = { ...place, version: '1.1.0', artifacts: [artifactOf(ofDraft)] }
  await server.call('PUT', '/api/v1/drafts', { body: draft })
  const policy = { app: 'editor', channel: 'stable', change: { requireApproval: true } }
  await server.updates.setChannelPolicy(PRINCIPAL, policy)
  const {
    app: _,
    channel: __,
    version,
    ...content
  } = PublishBody.parse(publishBody('1.2.0', { artifacts: [artifactOf(ofRequest)] }))
  const change = { kind: 'publish', ...content } as const
  const proposal = { app: 'editor', channel: 'stable', version, change, comment: '' }
  await server.updates.proposeChange({ ...PRINCIPAL, person: 'ada' }, proposal)
  const refusal = (file: { sha512: string }) =>
    server.call('DELETE', `/api/v1/files/${file.sha512}`).then(({ body }) => body.error)
  expect(await refusal(ofDraft)).toContain('is used by the draft of 1.1.0 on editor/stable')
  expect(await refusal(ofRequest)).toContain('release 1.2.0 of editor/stable, which waits')
  await server.stop()
  offset = FILE_LIFE + 60_000
  const again = await startServer(
    { dataFolder: server.folder, hosting: { folder: server.artifacts, publicUrl: PUBLIC_URL } },
    undefined,
    { clock },
  )
  const listed = async (): Promise<string[]> => {
    const { files } = (await again.call('GET', '/api/v1/files')).body
    return files.map(({ sha512 }: typeof used) => sha512).sort()
  }
  const kept = [used, ofDraft, ofRequest].map(({ sha512 }) => sha512).sort()
  await expect.poll(listed).toEqual(kept)
  expect(kept).not.toContain(unused.sha512)
})
