import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import {
  type ProofTask,
  proveArtifact,
} from '../../../../src/server/outbound/proving/prove-artifact.ts'
import { makePair } from '../../../support/builders/certificates.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { asTauri, minisignPair } from '../../../support/builders/minisign.ts'
import { proofTask } from '../../../support/builders/proof-task.ts'
import { publishedFile, startFileServer } from '../../../support/servers/file-server.ts'

const prove = (task: ProofTask) => proveArtifact(task, new AbortController().signal)
const FILE = randomBytes(300_000)
const SHA512 = createHash('sha512').update(FILE).digest('hex')

async function serveFile() {
  const files = await startFileServer()
  files.put('/app.tar.gz', FILE)
  return { ...files, file: publishedFile(`${files.url}/app.tar.gz`, FILE) }
}

test('a file that is what was published is proven', async () => {
  const { host, file } = await serveFile()
  const pair = minisignPair()
  const signature = asTauri(pair.sign(FILE))
  const minisignKey = pair.publicKey
  const findings = [
    [file, null, 'unsigned'],
    [{ ...file, signature }, null, 'unchecked'],
    [{ ...file, signature }, minisignKey, 'valid'],
    [{ ...file, signature: asTauri(pair.sign(FILE, { legacy: true })) }, minisignKey, 'valid'],
    // What Sparkle and Squirrel.Windows verify.
    [{ ...file, signature: Buffer.alloc(64).toString('base64') }, minisignKey, 'unchecked'],
    [{ ...file, signature: `${'0'.repeat(40)} a-1.0.0-full.nupkg 7` }, minisignKey, 'unchecked'],
    [{ ...file, size: 0, sha512: Buffer.from(SHA512, 'hex').toString('base64') }, null, 'unsigned'],
    [{ ...file, sha512: SHA512.toUpperCase() }, null, 'unsigned'],
    // Nothing to compare with: it is measured.
    [{ ...file, size: 0, sha512: '' }, null, 'unsigned'],
  ] as const
  const measured = { size: FILE.length, sha512: SHA512 }
  for (const [artifact, key, finding] of findings) {
    const unchecked = ['sparkle', 'releases'] as const
    const result = await prove(proofTask(artifact, [host], { minisignKey: key, unchecked }))
    expect(result).toEqual({ failure: null, signature: finding, measured })
  }
})

test('what differs from what was published is named', async () => {
  const { host, file, put, url } = await serveFile()
  const failure = async (artifact: ProofTask['artifact'], minisignKey: string | null = null) =>
    (await prove(proofTask(artifact, [host], { minisignKey }))).failure
  const pair = minisignPair()
  expect(await failure({ ...file, sha512: 'ab'.repeat(64) })).toEqual({
    ...{ code: 'hash_differs', actual: SHA512 },
  })
  expect(await failure({ ...file, size: FILE.length + 1 })).toEqual({
    ...{ code: 'size_differs', expected: FILE.length + 1, actual: FILE.length },
  })
  // Without a length that is announced, the size is known at the end, or when it is exceeded.
  put('/chunked', (response) => response.writeHead(200).end(FILE))
  const chunked = { ...file, url: `${url}/chunked` }
  expect(await failure({ ...chunked, size: FILE.length + 1 })).toEqual({
    ...{ code: 'size_differs', expected: FILE.length + 1, actual: FILE.length },
  })
  expect(await failure({ ...chunked, size: FILE.length - 1 })).toEqual({
    ...{ code: 'size_differs', expected: FILE.length - 1, actual: null },
  })
  expect(await failure({ ...file, url: `${url}/gone` })).toEqual({ code: 'status', status: 404 })
  put('/partial', (response) => response.writeHead(206).end(FILE))
  expect(await failure({ ...file, url: `${url}/partial` })).toEqual({ code: 'status', status: 206 })
  const signed = { ...file, signature: asTauri(pair.sign(randomBytes(10))) }
  expect(await failure(signed, pair.publicKey)).toEqual({ code: 'signature_wrong' })
  expect(await failure(file, pair.publicKey)).toEqual({ code: 'signature_missing' })
  expect(await failure({ ...file, signature: 'none' }, pair.publicKey)).toEqual({
    ...{ code: 'signature_malformed' },
  })
})

test('a signature by another key is refused before anything is fetched', async () => {
  const { host, file, asked } = await serveFile()
  const [one, other] = [minisignPair(Buffer.alloc(8, 1)), minisignPair(Buffer.alloc(8, 2))]
  const task = proofTask({ ...file, signature: asTauri(one.sign(FILE)) }, [host], {
    minisignKey: other.publicKey,
  })
  const [expected, actual] = ['0202020202020202', '0101010101010101']
  expect(await prove(task)).toEqual({ failure: { code: 'signature_other_key', expected, actual } })
  expect(asked).toEqual([])
})

test('the server is asked for the file itself, uncompressed', async () => {
  const { host, file, put, url } = await serveFile()
  const seen: unknown[] = []
  put('/plain', (response) => {
    const { 'accept-encoding': encoding, 'user-agent': agent } = response.req.headers
    seen.push([encoding, agent, response.req.headers.authorization, response.req.headers.cookie])
    response.end(FILE)
  })
  await prove(proofTask({ ...file, url: `${url}/plain` }, [host]))
  expect(seen).toEqual([['identity', 'Tidegate/test', undefined, undefined]])
})

test('a compressed response is refused unread, however it says so', async () => {
  const { host, file, put, url } = await serveFile()
  // 50 MB that are 50 kB on the wire: their hash is what was published.
  const zeros = Buffer.alloc(50_000_000)
  const bomb = gzipSync(zeros)
  const declared = publishedFile(`${url}/bomb`, zeros)
  for (const headers of [
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'identity, br' },
    { 'transfer-encoding': 'gzip, chunked' },
  ]) {
    put('/bomb', (response) => response.writeHead(200, headers).end(bomb))
    const { failure } = await prove(proofTask({ ...file, ...declared, size: 0 }, [host]))
    expect(failure, JSON.stringify(headers)).toMatchObject({ code: 'compressed' })
  }
})

test('a body that is larger than it may be ends there', async () => {
  const { host, file, put, url } = await serveFile()
  let sent = 0
  const endless = (response: ServerResponse) => {
    const piece = Buffer.alloc(65_536)
    const more = () => {
      for (let room = true; room && !response.destroyed; sent += piece.length) {
        room = response.write(piece)
      }
    }
    response.on('drain', more)
    more()
  }
  put('/endless', endless)
  const unknown = { ...file, url: `${url}/endless`, size: 0 }
  expect(await prove(proofTask(unknown, [host], { maxBytes: 5_000_000 }))).toEqual({
    failure: { code: 'too_large', maximum: 5_000_000 },
  })
  expect(await prove(proofTask({ ...unknown, size: 1_000_000 }, [host]))).toEqual({
    failure: { code: 'size_differs', expected: 1_000_000, actual: null },
  })
  // What the buffers of two connections hold was sent, and not more.
  expect(sent).toBeLessThan(60_000_000)
  put('/huge', (response) => response.writeHead(200, { 'content-length': 10 ** 13 }).flushHeaders())
  const huge = { ...file, url: `${url}/huge` }
  expect(await prove(proofTask({ ...huge, size: 0 }, [host]))).toEqual({
    failure: { code: 'too_large', maximum: 1_000_000_000 },
  })
  expect(await prove(proofTask(huge, [host]))).toEqual({
    failure: { code: 'size_differs', expected: FILE.length, actual: 10 ** 13 },
  })
  expect(await prove(proofTask({ ...huge, size: 10 ** 13 }, [host]))).toMatchObject({
    failure: { code: 'too_large' },
  })
})

test('each part of a download has a time of its own', async () => {
  const { host, file, put, url } = await serveFile()
  const timedOut = async (path: string, timeouts: Partial<Record<string, number>>) =>
    (await prove(proofTask({ ...file, url: `${url}${path}` }, [host], { timeouts }))).failure
  put('/silent', () => {})
  expect(await timedOut('/silent', { firstByte: 50 })).toEqual({
    ...{ code: 'timed_out', phase: 'first_byte', seconds: 0.05 },
  })
  const drip = (bytes: number) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': FILE.length })
    const timer = setInterval(() => response.write(Buffer.alloc(bytes)), 5)
    response.on('close', () => clearInterval(timer))
  }
  put('/drip', drip(1))
  expect(await timedOut('/drip', { stalled: 100 })).toMatchObject({ phase: 'stalled' })
  put('/stream', (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(Buffer.alloc(20_000)), 5)
    response.on('close', () => clearInterval(timer))
  })
  const unsized = { ...file, url: `${url}/stream`, size: 0 }
  const timeouts = { stalled: 10_000, total: 300 }
  expect((await prove(proofTask(unsized, [host], { timeouts }))).failure).toEqual({
    ...{ code: 'timed_out', phase: 'total', seconds: 0.3 },
  })
  // A TLS handshake that is never answered.
  const mute = createServer((socket) => void socket.resume())
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => mute.close(() => resolve())))
  const address = mute.address()
  const port = typeof address === 'object' ? address?.port : 0
  const silent = proofTask({ ...file, url: `https://127.0.0.1:${port}/` }, [`127.0.0.1:${port}`], {
    timeouts: { connect: 50 },
  })
  expect((await prove(silent)).failure).toMatchObject({ code: 'timed_out', phase: 'connect' })
})

test('a connection that ends early, and servers that are not there, are told apart', async () => {
  const { host, file, put, url } = await serveFile()
  put('/early', (response) => {
    response.writeHead(200, { 'content-length': FILE.length })
    response.write(FILE.subarray(0, 1_000), () => response.destroy())
  })
  const early = { ...file, url: `${url}/early` }
  expect(await prove(proofTask(early, [host]))).toEqual({ failure: { code: 'broken_off' } })
  const closed = proofTask({ ...file, url: 'http://127.0.0.1:1/' }, ['127.0.0.1:1'])
  expect(await prove(closed)).toEqual({ failure: { code: 'unreachable', host: '127.0.0.1:1' } })
  const nowhere = proofTask({ ...file, url: 'http://files.invalid/' }, ['files.invalid'])
  expect(await prove(nowhere)).toEqual({ failure: { code: 'unresolved', host: 'files.invalid' } })
})

test('a certificate that nobody vouches for is refused', async () => {
  const { certFile, keyFile } = await makePair(temporaryFolder(), 'files')
  const files = await startFileServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
  files.put('/app', FILE)
  const task = proofTask(publishedFile(`${files.url}/app`, FILE), [files.host])
  expect(await prove(task)).toEqual({ failure: { code: 'certificate', host: files.host } })
  expect(files.asked).toEqual([])
})

test('a canceled proof ends the connection', async () => {
  const { host, file, put, url } = await serveFile()
  const closed = Promise.withResolvers<void>()
  const canceled = new AbortController()
  put('/slow', (response) => {
    response.writeHead(200, { 'content-length': FILE.length }).write(FILE.subarray(0, 100_000))
    response.on('close', () => closed.resolve())
  })
  const task = proofTask({ ...file, url: `${url}/slow` }, [host])
  const proof = proveArtifact(task, canceled.signal, () => canceled.abort(new Error('enough')))
  await expect(proof).rejects.toThrow('enough')
  await closed.promise
})
