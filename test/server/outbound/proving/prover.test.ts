import { expect, test } from 'vitest'
import type {
  ProofProgress,
  ProofResult,
} from '../../../../src/server/outbound/proving/prove-artifact.ts'
import { Prover, type ProverParts } from '../../../../src/server/outbound/proving/prover.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import {
  artifact,
  artifactFor,
  publishBody,
  SHA512_HEX,
} from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { RELEASES } from '../../../support/servers/calls.ts'
import { publishedFile } from '../../../support/servers/file-server.ts'
import { refusalOf } from '../../../support/servers/guarded.ts'
import { PLACE, startProven } from '../../../support/servers/proven.ts'

const FOUND: ProofResult = {
  failure: null,
  signature: 'unsigned',
  measured: { size: 1, sha512: 'ab' },
}
const LIMITS: ProverParts['limits'] = {
  timeouts: { connect: 1, firstByte: 1, stalled: 1, total: 1 },
  ...{ maxBytes: 1, dnsServers: [] },
}

interface Begun {
  readonly url: string
  readonly report: (progress: ProofProgress) => void
  readonly end: (result?: ProofResult) => void
  readonly fail: (error: Error) => void
}

/** A prover whose downloads end when a test says so. */
function createProver(perApp = 2) {
  const begun: Begun[] = []
  const prover = new Prover({
    ...{ limits: LIMITS, userAgent: 'test', parallel: { total: 2, each: perApp } },
    inspect: () => Promise.reject(new Error('nothing is looked into here')),
    prove: ({ artifact }, signal, report) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        const end = (result = FOUND) => resolve(result)
        begun.push({ url: artifact.url, report, end, fail: reject })
      }),
  })
  const recorded: string[] = []
  const run = (releaseId: string, count: number, app = 1) =>
    prover.start({
      ...{ app, releaseId, unchecked: [] },
      artifacts: Array.from({ length: count }, (_, index) => ({
        ...{ platform: 'linux', arch: String(index), url: `${releaseId}/${index}` },
        ...{ kind: '', sha512: SHA512_HEX, size: 7, signature: '' },
      })),
      settings: { hosts: [], minisignKey: null, documentKeys: [] },
      record: async (position) => void recorded.push(`${releaseId}/${position}`),
    })
  const urls = () => begun.map(({ url }) => url)
  return { prover, begun, recorded, run, urls }
}

test('a file that is measured counts among what its app proves, and ends with the server', async () => {
  const { prover, begun } = createProver()
  const settings = { hosts: [], minisignKey: null, documentKeys: [] }
  const measure = (url: string) =>
    prover.measure({ app: 1, url, size: 7, settings }, new AbortController().signal, () => {})
  const [one, two] = [measure('one'), measure('two')]
  await eventually(() => expect(begun).toHaveLength(2))
  expect([prover.sizeOf(1), prover.sizeOf(2)]).toEqual([2, 0])
  begun[0]?.end()
  expect(await one).toEqual(FOUND)
  expect(prover.sizeOf(1)).toBe(1)
  const refused = expect(two).rejects.toThrow()
  await prover.stop()
  await refused
  expect(prover.sizeOf(1)).toBe(0)
})

test('at most so many artifacts are downloaded at the same time, in their order', async () => {
  const { prover, begun, recorded, run, urls } = createProver()
  const [one, two] = [run('one', 3), run('two', 1)]
  await eventually(() => expect(urls()).toEqual(['one/0', 'one/1']))
  expect([...(prover.running('one')?.values() ?? [])]).toEqual([
    { state: 'running', read: 0, total: 7 },
    { state: 'running', read: 0, total: 7 },
    { state: 'queued' },
  ])
  begun[1]?.report({ read: 3, total: 7 })
  expect(prover.running('one')?.get(1)).toEqual({ state: 'running', read: 3, total: 7 })
  begun[1]?.end()
  await eventually(() => expect(urls()).toEqual(['one/0', 'one/1', 'one/2']))
  expect(prover.running('one')?.has(1)).toBe(false)
  begun[2]?.end()
  await eventually(() => expect(urls()).toHaveLength(4))
  begun[0]?.end()
  begun[3]?.end()
  expect(await Promise.all([one, two])).toEqual(['done', 'done'])
  expect(recorded).toEqual(['one/1', 'one/2', 'one/0', 'two/0'])
  expect([prover.sizeOf(1), prover.running('one')]).toEqual([0, undefined])
})

test('what one app has to be proven does not hold up another', async () => {
  const { begun, run, urls } = createProver(1)
  const slow = run('slow', 64)
  await eventually(() => expect(urls()).toEqual(['slow/0']))
  const [two, three] = [run('two', 1, 2), run('three', 1, 3)]
  await eventually(() => expect(urls()).toEqual(['slow/0', 'two/0']))
  begun[1]?.end()
  await two
  // The app that waits goes first, not the one that has come first.
  begun[0]?.end()
  await eventually(() => expect(urls().slice(2, 3)).toEqual(['three/0']))
  begun[2]?.end()
  expect(await three).toBe('done')
  for (let next = 3; next < 66; next++) {
    await eventually(() => expect(begun[next]).toBeDefined())
    begun[next]?.end()
  }
  await slow
})

test('a release that is being proven is not begun again', async () => {
  const { prover, begun, run, urls } = createProver()
  const first = run('one', 1)
  expect(run('one', 1)).toBe(first)
  expect(prover.sizeOf(1)).toBe(1)
  await eventually(() => expect(urls()).toEqual(['one/0']))
  begun[0]?.end()
  await first
  void run('one', 1)
  await eventually(() => expect(urls()).toEqual(['one/0', 'one/0']))
  await prover.stop()
})

test('a canceled run ends at once, also where it waits, and gives its place to others', async () => {
  const { prover, begun, recorded, run, urls } = createProver()
  const [one, two, three] = [run('one', 2), run('two', 1), run('three', 1)]
  await eventually(() => expect(urls()).toHaveLength(2))
  prover.cancel('two')
  expect(await two).toBe('canceled')
  begun[0]?.end()
  await eventually(() => expect(urls()).toEqual(['one/0', 'one/1', 'three/0']))
  prover.cancel('one')
  expect(await one).toBe('canceled')
  begun[2]?.end()
  expect(await three).toBe('done')
  // What was found before stays.
  expect(recorded).toEqual(['one/0', 'three/0'])
})

test('an artifact that cannot be tried fails the run, after the others were', async () => {
  const { begun, recorded, run, urls } = createProver()
  const ended = run('one', 2)
  await eventually(() => expect(urls()).toHaveLength(2))
  begun[0]?.fail(new Error('the thread ended'))
  begun[1]?.end()
  await expect(ended).rejects.toThrow('the thread ended')
  expect(recorded).toEqual(['one/1'])
})

test('stopping ends everything', async () => {
  const { prover, run, urls } = createProver()
  const runs = [run('one', 2), run('two', 2)]
  await eventually(() => expect(urls()).toHaveLength(2))
  await prover.stop()
  expect(await Promise.all(runs)).toEqual(['canceled', 'canceled'])
  expect([prover.sizeOf(1), urls().length]).toEqual([0, 2])
})

test('more than 100 releases do not wait at the same time', async () => {
  const world = await startProven('off')
  const { server, files } = world
  files.put('/', () => {})
  const artifacts = [{ ...artifactFor('linux', 'x64'), url: `${files.url}/` }]
  const versions = Array.from({ length: 101 }, (_, index) => `1.0.${index}`)
  for (const version of versions) {
    await server.call('POST', '/api/v1/releases', { body: publishBody(version, { artifacts }) })
  }
  const start = (version = '') => server.updates.startProof(PRINCIPAL, { ...PLACE, version })
  for (const version of versions.slice(0, 100)) {
    expect(await start(version)).toMatchObject({ state: 'running' })
  }
  expect(await refusalOf(start(versions[100]))).toEqual({ code: 'proofs_busy', maximum: 100 })
  expect(await start(versions[0])).toMatchObject({ state: 'running' })
})

test('64 artifacts of one app whose host never answers do not hold up the release of another', async () => {
  const { server, files, bytes } = await startProven('off')
  const { updates } = server
  await updates.createApp(PRINCIPAL, { ref: 'player' })
  for (const app of ['editor', 'player']) {
    await updates.setProving(PRINCIPAL, { app, change: { hosts: [files.host] } })
  }
  const slow = Array.from({ length: 64 }, (_, index) => ({
    ...artifactFor('linux', `arch${index}`),
    url: `${files.url}/silent/${index}`,
  }))
  for (const index of slow.keys()) files.put(`/silent/${index}`, () => {})
  await server.call('POST', RELEASES, { body: publishBody('1.0.0', { artifacts: slow }) })
  await updates.startProof(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  files.put('/player', bytes)
  const { url, sha512, size } = publishedFile(`${files.url}/player`, bytes)
  const artifacts = [artifact({ url, sha512, size })]
  await server.call('POST', RELEASES, {
    body: { ...publishBody('1.0.0', { artifacts }), app: 'player' },
  })
  const other = { app: 'player', channel: 'stable', version: '1.0.0' }
  await updates.startProof(PRINCIPAL, other)
  await eventually(async () => {
    expect((await updates.showProof(PRINCIPAL, other)).state).toBe('proven')
  })
  const { artifacts: waiting } = await updates.showProof(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect(waiting.filter(({ state }) => state === 'running')).toHaveLength(2)
})
