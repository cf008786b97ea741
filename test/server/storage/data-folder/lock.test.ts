import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { folderHolder, lockDataFolder } from '../../../../src/server/storage/data-folder/lock.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import { sentenceOf, storageFailure } from '../../../support/servers/database.ts'

describe('the lock of a data folder', () => {
  test('is refused to another process, with the name of its holder', async () => {
    const folder = temporaryFolder()
    const server = startFixture('hold-lock.ts', folder, 'http://127.0.0.1:7000')
    await server.line()
    const failure = await storageFailure('locked', () => lockDataFolder(folder))
    expect(sentenceOf(failure)).toBe(
      `The data folder ${folder} is in use by the server at http://127.0.0.1:7000 (process ${server.child.pid}). Stop it and try again.`,
    )
  })

  test('names only the process before it listens', async () => {
    const folder = temporaryFolder()
    const server = startFixture('hold-lock.ts', folder)
    await server.line()
    const failure = await storageFailure('locked', () => lockDataFolder(folder))
    expect(sentenceOf(failure)).toContain(`in use by process ${server.child.pid} (`)
  })

  test('is refused to another part of this process', async () => {
    const folder = temporaryFolder()
    const lock = lockDataFolder(folder)
    await storageFailure('locked', () => lockDataFolder(folder))
    await storageFailure('locked', () => lockDataFolder(`${folder}/../${folder.split('/').at(-1)}`))
    lock.release()
    lockDataFolder(folder).release()
  })

  test('is refused to another process by this one', async () => {
    const folder = temporaryFolder()
    const lock = lockDataFolder(folder)
    // The note is read with plain file calls, which must not cost this process its lock.
    folderHolder(folder)
    await storageFailure('locked', () => lockDataFolder(folder))
    const { code, stderr } = await startFixture('hold-lock.ts', folder).exited
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`kind: 'held', holder: \\{ pid: ${process.pid},`))
    lock.release()
  })

  test('ends with its holder, also when that is killed', async () => {
    const folder = temporaryFolder()
    const server = startFixture('hold-lock.ts', folder, 'http://127.0.0.1:7000')
    await server.line()
    await server.kill()
    expect(folderHolder(folder)).toMatchObject({ address: 'http://127.0.0.1:7000' })
    const lock = lockDataFolder(folder)
    expect(folderHolder(folder)).toMatchObject({ pid: process.pid, address: null })
    lock.release()
  })

  test('is given free by release, and the note with it', async () => {
    const folder = temporaryFolder()
    const server = startFixture('hold-lock.ts', folder, 'http://127.0.0.1:7000')
    await server.line()
    server.child.stdin?.write('go\n')
    expect(await server.line()).toBe('released')
    expect(folderHolder(folder)).toBeUndefined()
    const lock = lockDataFolder(folder)
    lock.release()
    const next = lockDataFolder(folder)
    lock.release()
    expect(folderHolder(folder)).toMatchObject({ pid: process.pid })
    next.release()
  })

  test('makes the folder', () => {
    const folder = `${temporaryFolder()}/new/data`
    lockDataFolder(folder).release()
    expect(existsSync(folder)).toBe(true)
  })

  test('is refused with the name of the file if that is no lock', async () => {
    const folder = temporaryFolder()
    writeFileSync(`${folder}/server.lock`, 'garbage '.repeat(100))
    const failure = await storageFailure('not_a_database', () => lockDataFolder(folder))
    expect(sentenceOf(failure)).toContain(`${folder}/server.lock`)
  })

  test('has a token of its own, which its note has too', () => {
    const folder = temporaryFolder()
    const lock = lockDataFolder(folder)
    expect(folderHolder(folder)?.statusToken).toBe(lock.statusToken)
    lock.announce('http://127.0.0.1:1')
    expect(folderHolder(folder)?.statusToken).toBe(lock.statusToken)
    lock.release()
    const next = lockDataFolder(folder)
    expect(next.statusToken).not.toBe(lock.statusToken)
    next.release()
  })

  test('is noted in a file that nobody else has open', () => {
    const folder = temporaryFolder()
    writeFileSync(`${folder}/server.json.partial`, '')
    const opened = openSync(`${folder}/server.json.partial`, 'r')
    const lock = lockDataFolder(folder)
    expect(readFileSync(opened, 'utf8')).toBe('')
    expect(folderHolder(folder)).toMatchObject({ statusToken: lock.statusToken })
    closeSync(opened)
    lock.release()
  })

  test('may be noted by an earlier version, without a token', () => {
    const folder = temporaryFolder()
    const noted = { pid: 1, address: null, startedAt: '2026-01-01T00:00:00.000Z' }
    writeFileSync(`${folder}/server.json`, JSON.stringify(noted))
    expect(folderHolder(folder)).toEqual({ ...noted, statusToken: null, keptFiles: null })
  })

  test('ignores a damaged record', async () => {
    const folder = temporaryFolder()
    const lock = lockDataFolder(folder)
    writeFileSync(`${folder}/server.json`, '{"pid":')
    const failure = await storageFailure('locked', () => lockDataFolder(folder))
    expect(sentenceOf(failure)).toContain('in use by another process')
    lock.release()
  })
})
