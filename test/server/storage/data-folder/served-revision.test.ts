import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  ServedRevision,
  untilServed,
} from '../../../../src/server/storage/data-folder/served-revision.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { startFixture } from '../../../support/processes/fixture.ts'

const fileIn = (folder: string) => join(folder, 'server.revision')
/** Longer than any of it takes. */
const LONG = 60_000

test('a change is confirmed once it is served, not before', async () => {
  const folder = temporaryFolder()
  const served = new ServedRevision(folder, 'catalog')
  onTestFinished(() => served.release())
  served.set(41)
  await expect(untilServed(folder, 'catalog', 41, LONG)).resolves.toBe(true)
  await expect(untilServed(folder, 'catalog', 42, 1)).resolves.toBe(false)
  const waiting = untilServed(folder, 'catalog', 42, LONG)
  served.set(42)
  served.set(43)
  await expect(waiting).resolves.toBe(true)
  await expect(untilServed(folder, 'catalog', 43, LONG)).resolves.toBe(true)
})

test('the file is accessible only to this account, and is removed with the server', async () => {
  const folder = temporaryFolder()
  const served = new ServedRevision(folder, 'catalog')
  expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
  await expect(untilServed(folder, 'catalog', 1, 1)).resolves.toBe(false)
  await served.release()
  await served.release()
  expect(existsSync(fileIn(folder))).toBe(false)
  await expect(untilServed(folder, 'catalog', 1, LONG)).resolves.toBe(true)
})

test('half a number is no number', async () => {
  const folder = temporaryFolder()
  for (const text of ['', '0000000000000099', '0000000000000199 0000000000000100\n']) {
    writeFileSync(fileIn(folder), text)
    await expect(untilServed(folder, 'catalog', 1, 1)).resolves.toBe(false)
  }
})

test('the file of a killed server does not block others', async () => {
  const folder = preparedFolder()
  const server = startFixture('serve-nothing.ts', folder, '7')
  await server.line()
  await eventually(() => expect(untilServed(folder, 'catalog', 7, 1)).resolves.toBe(true))
  await expect(untilServed(folder, 'catalog', 8, 1_000)).resolves.toBe(false)
  await server.kill()
  expect(existsSync(fileIn(folder))).toBe(true)
  await expect(untilServed(folder, 'catalog', 8, LONG)).resolves.toBe(true)
})
