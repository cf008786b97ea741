import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { TlsFiles, type TlsFilesOptions } from '../../../../src/server/http/listener/tls-files.ts'
import { makePair, replace, type TestPair } from '../../../support/builders/certificates.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

const DAY = 86_400_000
let pair: TestPair
let other: TestPair

beforeEach(async () => {
  const folder = temporaryFolder()
  pair = await makePair(folder, 'one', 30)
  other = await makePair(folder, 'two', 60)
})

/** The files of `pair`, opened, and what they tell. */
async function open(change: Partial<TlsFilesOptions> = {}) {
  const events: string[] = []
  const waiting: { word: string; resolve: () => void }[] = []
  const tell = (word: string) => {
    events.push(word)
    for (const waiter of waiting) if (waiter.word === word) waiter.resolve()
  }
  const files = new TlsFiles({
    ...pair,
    every: 20,
    onLoaded: () => tell('loaded'),
    onRefused: () => tell('refused'),
    onExpiry: (_, expiry) => tell(expiry),
    ...change,
  })
  await files.open()
  onTestFinished(() => files.stop())
  /** Resolves when that is told once more. */
  const next = (word: string) =>
    new Promise<void>((resolve) => {
      waiting.push({ word, resolve })
    })
  return { files, events, next }
}

test('a pair that is replaced one file after the other is used once it is complete', async () => {
  const { files, events, next } = await open()
  const first = files.state
  files.watch()
  const refused = next('refused')
  replace(pair.keyFile, other.keyFile)
  await refused
  expect(files.state).toEqual({
    expiresAt: first.expiresAt,
    refused: { issue: 'mismatch', since: expect.stringMatching(/Z$/) },
  })
  const loaded = next('loaded')
  replace(pair.certFile, other.certFile)
  await loaded
  expect(files.state.refused).toBeNull()
  expect(Date.parse(files.state.expiresAt)).toBeGreaterThan(Date.parse(first.expiresAt))
  expect(events).toEqual(['refused', 'loaded'])
})

test.each([
  ['unreadable', (file: string) => replaceByFolder(file)],
  ['invalid', (file: string) => writeFileSync(file, 'nothing of the kind')],
  ['unreadable', (file: string) => writeFileSync(file, Buffer.alloc(2_000_000))],
] as const)('a certificate that is %s leaves the one from before', async (issue, spoil) => {
  const { files, events } = await open()
  spoil(pair.certFile)
  await files.reload()
  expect(files.state.refused?.issue).toBe(issue)
  expect(events).toEqual(['refused'])
})

test('an expiring certificate is logged once a day, from 21 days before', async () => {
  const began = Date.now()
  let now = began
  const { files, events } = await open({ clock: () => now, every: 60_000 })
  files.watch()
  expect(events).toEqual([])
  now = began + 10 * DAY
  await files.reload()
  await files.reload()
  expect(events).toEqual(['loaded', 'expiring', 'loaded', 'expiring'])
  now = began + 31 * DAY
  await files.reload()
  expect(events.at(-1)).toBe('expired')
})

test('the error of an unusable initial pair is thrown unchanged', async () => {
  await expect(open({ keyFile: other.keyFile })).rejects.toMatchObject({
    code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
  })
  const keyFile = join(temporaryFolder(), 'none')
  await expect(open({ keyFile })).rejects.toMatchObject({ code: 'ENOENT', path: keyFile })
})

function replaceByFolder(file: string): void {
  rmSync(file)
  mkdirSync(file)
}
