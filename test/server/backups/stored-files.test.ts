import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyFiles } from '../../../src/server/backups/files/copy-files.ts'
import { FILES_FOLDER } from '../../../src/server/backups/files/file-backups.ts'
import {
  inspectBackup,
  restoreBackup,
} from '../../../src/server/compose/server-process/restore-task.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { artifact, publishBody } from '../../support/builders/releases.ts'
import { eventually } from '../../support/eventually.ts'
import { publish } from '../../support/servers/calls.ts'
import { callerOf, failureOf } from '../../support/servers/console.ts'
import {
  builtFile,
  downloadUrl,
  PUBLIC_URL,
  startHosting,
  uploadFile,
} from '../../support/servers/hosting.ts'
import { startRestorable } from '../../support/servers/restorable.ts'

const FILE = /^[0-9a-f]{128}$/
const NEVER = new AbortController().signal

/** A server with a folder for backups, and releases whose files it stores. */
async function startWithBackups() {
  const backups = join(temporaryFolder(), 'backups')
  const server = await startHosting({}, { config: { backups: { folder: backups, keep: 2 } } })
  const stored = join(server.artifacts, 'files')
  const copies = join(backups, FILES_FOLDER)
  const release = async (version: string) => {
    const { sha512, size, url } = await uploadFile(server, builtFile(50_000).content)
    await publish(server, version, { artifacts: [artifact({ url, sha512, size })] })
    return sha512
  }
  const listed = () => readdirSync(copies).sort()
  return { server, console: callerOf(server), stored, copies, release, listed }
}

test('a backup has the files that it names, and the next one copies only what is new', async () => {
  const { server, console, stored, copies, release, listed } = await startWithBackups()
  const first = await release('1.0.0')
  const { sha512: unused } = await uploadFile(server, builtFile(10).content)
  const made = await console.backups.nowWithFiles()
  expect(made).toMatchObject({ files: 'copied', problem: null })
  expect(listed()).toEqual([first])
  expect(readFileSync(join(copies, first))).toEqual(readFileSync(join(stored, first)))
  // Of the same size, so that it shows whether it is copied again.
  writeFileSync(join(copies, first), Buffer.alloc(50_000))
  const second = await release('1.1.0')
  await console.backups.nowWithFiles()
  expect(listed()).toEqual([first, second].sort())
  expect(readFileSync(join(copies, first)).equals(Buffer.alloc(50_000))).toBe(true)
  expect(listed()).not.toContain(unused)
  expect((await console.backups.status()).files).toEqual({ progress: null })
})

test('files go from the folder of the backups when none of them names them any longer', async () => {
  const { console, copies, listed } = await startWithBackups()
  mkdirSync(copies, { recursive: true })
  const stray = 'ab'.repeat(64)
  writeFileSync(join(copies, stray), 'of a backup that is gone')
  writeFileSync(join(copies, 'notes.txt'), 'by hand')
  await console.backups.now()
  expect(listed()).toEqual([stray, 'notes.txt'])
  await console.backups.nowWithFiles()
  expect(listed()).toEqual(['notes.txt'])
})

test('the desktop app brings back the files beside a backup, and names the releases that lack some', async () => {
  const { server, console, stored, copies, release } = await startWithBackups()
  const [first, second] = [await release('1.0.0'), await release('1.1.0')]
  const { name } = await console.backups.nowWithFiles()
  const content = readFileSync(join(stored, first))
  await server.stop()
  rmSync(join(stored, first))
  rmSync(join(stored, second))
  rmSync(join(copies, second))
  const task = {
    dataFolder: server.folder,
    files: { folder: server.artifacts, reserve: 0 },
    file: join(copies, '..', name),
  }
  const lacking = { count: 1, newest: [{ app: 'editor', channel: 'stable', version: '1.1.0' }] }
  const compared = { count: 1, bytes: 50_000, lacking }
  expect(await inspectBackup(task)).toMatchObject({ ok: true, files: compared })
  expect(existsSync(join(stored, first))).toBe(false)
  const full = { ...task, files: { ...task.files, reserve: Number.MAX_SAFE_INTEGER - 50_000 } }
  expect(await restoreBackup(full)).toMatchObject({ ok: false, problem: { code: 'full' } })
  expect(await restoreBackup(task)).toMatchObject({ ok: true, lacking })
  expect(readFileSync(join(stored, first)).equals(content)).toBe(true)
})

test('a file that is missing or damaged fails the backup, which has all others', async () => {
  const { console, stored, release, listed } = await startWithBackups()
  const [missing, damaged, intact] = [
    await release('1.0.0'),
    await release('1.1.0'),
    await release('1.2.0'),
  ]
  rmSync(join(stored, missing))
  writeFileSync(join(stored, damaged), Buffer.alloc(50_000))
  expect(await failureOf(console.backups.nowWithFiles())).toMatchObject({
    message: expect.stringContaining('2 stored files are missing or damaged'),
  })
  expect(listed()).toEqual([intact])
  const { copies, lastFailure } = await console.backups.status()
  expect(copies).toHaveLength(1)
  expect(lastFailure?.problem).toMatchObject({ code: 'io', file: stored })
})

test('a copy that is stopped leaves no part, and the next one goes on', async () => {
  const [from, to] = [temporaryFolder(), join(temporaryFolder(), 'copies')]
  const files = [builtFile(3_000_000), builtFile(3_000_000)]
  for (const { content, sha512 } of files) writeFileSync(join(from, sha512), content)
  const hashes = files.map(({ sha512 }) => sha512)
  const task = { from, to, hashes, reserve: 0 }
  const stop = new AbortController()
  const copying = copyFiles(task, stop.signal, ({ done, total }) => {
    expect(total).toBe(6_000_000)
    if (done > 3_500_000) stop.abort(new Error('stopped'))
  })
  await expect(copying).rejects.toThrow('stopped')
  expect(readdirSync(to)).toEqual([hashes[0]])
  expect(await copyFiles(task, NEVER)).toEqual({ copied: 1, bytes: 3_000_000, lost: [] })
  expect(readdirSync(to).filter((name) => FILE.test(name))).toHaveLength(2)
})

test('nothing is copied onto a disk without the space for all of it', async () => {
  const [from, to] = [temporaryFolder(), join(temporaryFolder(), 'copies')]
  const { content, sha512 } = builtFile(1_000)
  writeFileSync(join(from, sha512), content)
  const task = { from, to, hashes: [sha512], reserve: Number.MAX_SAFE_INTEGER - 1_000 }
  await expect(copyFiles(task, NEVER)).rejects.toMatchObject({
    problem: { code: 'full', circumstance: { kind: 'too_little_space' } },
  })
  expect(existsSync(join(to, sha512))).toBe(false)
})

test('copying is canceled, and the backup of the database stays', async () => {
  const { console, release, listed } = await startWithBackups()
  await release('1.0.0')
  const making = console.backups.nowWithFiles()
  await expect.poll(async () => (await console.backups.status()).running).toBe(true)
  await console.backups.cancelFiles()
  const made = await making
  expect(made.files).toBe('canceled')
  expect((await console.backups.status()).copies).toMatchObject([{ name: made.name }])
  await console.backups.nowWithFiles()
  expect(listed()).toHaveLength(1)
})

test('a restore brings back what is missing, verified, and names the releases that lack files', async () => {
  const [backups, artifacts] = [temporaryFolder(), join(temporaryFolder(), 'artifacts')]
  const console = await startRestorable({}, temporaryFolder(), {
    backups: { folder: backups },
    hosting: { folder: artifacts, publicUrl: PUBLIC_URL },
  })
  const { updates } = console.server()
  const place = { app: 'editor', channel: 'stable' }
  await updates.createApp(PRINCIPAL, { ref: 'editor' })
  const { secret: key } = await updates.mintKey(PRINCIPAL, { name: 'ci' })
  const release = async (version: string) => {
    const { content } = builtFile(50_000)
    const file = await uploadFile({ address: console.address, key }, content)
    const { sha512, size, url } = file
    const body = publishBody(version, { artifacts: [artifact({ url, sha512, size })] })
    await updates.publishRelease(PRINCIPAL, PublishBody.parse({ ...body, ...place }))
    return { content, sha512, url: downloadUrl(console, file) }
  }
  const [first, second] = [await release('1.0.0'), await release('1.1.0')]
  const { name } = await console.ask('backups.nowWithFiles')
  writeFileSync(join(backups, FILES_FOLDER, second.sha512), Buffer.alloc(50_000))
  for (const { sha512, url } of [first, second]) {
    rmSync(join(artifacts, 'files', sha512))
    expect((await fetch(url)).status).toBe(404)
  }
  const source = { kind: 'listed', name }
  // That one of them is damaged is known when it is read.
  expect(await console.ask('backups.inspect', source)).toMatchObject({
    files: { count: 2, bytes: 100_000, lacking: { count: 0 } },
  })
  await console.ask('backups.restore', { source, confirmation: 'restore' })
  const lacking = { count: 1, newest: [{ ...place, version: '1.1.0' }] }
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: true, lacking }]))
  const downloaded = await fetch(first.url)
  expect(Buffer.from(await downloaded.arrayBuffer()).equals(first.content)).toBe(true)
  expect(readdirSync(artifacts).sort()).toEqual([
    ...['artifacts.json', 'artifacts.lock', 'artifacts.lock-journal', 'files', 'uploads'],
  ])
})
