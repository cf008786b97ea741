import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Update } from '../../src/client/index.ts'
import { clientOf, deviceWith } from '../support/builders/downloading.ts'
import { noise } from '../support/builders/noise.ts'
import { patchOf } from '../support/builders/patches.ts'
import { listenLocally } from '../support/servers/listen.ts'

/** A server that answers as the test says. */
async function answering(listener: RequestListener): Promise<string> {
  return `http://${await listenLocally(createServer(listener))}/`
}

const CONTENT = noise(200_000, 'next')

/** An update to `CONTENT`, at an address. */
function updateAt(url: string, members: Partial<Update> = {}): Update {
  const sha512 = createHash('sha512').update(CONTENT).digest('hex')
  return {
    ...{ version: '1.1.0', notes: '', pub_date: '2026-01-01T00:00:00Z', url, sha512 },
    ...{ signature: '', size: CONTENT.length, updateMode: 'optional' },
    ...{ minimumSupportedVersion: '0.0.0', allowDowngrade: false, ...members },
  }
}

test('a patch with a fault anywhere never makes another file', async () => {
  const base = Buffer.concat([noise(100_000, 'base'), CONTENT.subarray(50_000)])
  const patch = patchOf(base, CONTENT)
  let sent = patch
  const url = await answering((request, response) => {
    const isPatch = request.headers['accept-encoding'] === 'dcz'
    if (isPatch) response.setHeader('Content-Encoding', 'dcz')
    response.end(isPatch ? sent : CONTENT)
  })
  const { from, to } = deviceWith(base)
  const update = updateAt(url)
  const outcome = async () => {
    const { patched } = await clientOf(url).download(update, { from, to })
    expect(readFileSync(to).equals(CONTENT)).toBe(true)
    return patched
  }
  expect(await outcome()).toBe(true)
  const places = [
    ...Array.from({ length: 60 }, (_, at) => at),
    ...Array.from({ length: 10 }, (_, at) => 60 + Math.floor(((patch.length - 60) * at) / 10)),
    ...Array.from({ length: 10 }, (_, at) => patch.length - 1 - at),
  ]
  for (const at of places) {
    sent = Buffer.from(patch)
    sent[at] = (sent[at] ?? 0) ^ (1 << (at % 8))
    // A flipped bit that changes nothing, such as one of the size of the window, may still apply.
    await outcome()
  }
  for (const length of [0, 7, 39, 40, 50, 1_000, patch.length - 3, patch.length - 1]) {
    sent = patch.subarray(0, length)
    expect(await outcome(), `cut to ${length}`).toBe(false)
  }
  for (const other of [
    Buffer.concat([patch, Buffer.from('more')]),
    patchOf(noise(100_000, 'another'), CONTENT),
    patchOf(base, noise(200_000, 'another')),
    patchOf(base, Buffer.concat([CONTENT, CONTENT])),
  ]) {
    sent = other
    await outcome()
  }
})

test('a patch as large as the file is not downloaded', async () => {
  const base = noise(1_000, 'base')
  const url = await answering((request, response) => {
    const isPatch = request.headers['accept-encoding'] === 'dcz'
    if (isPatch) response.setHeader('Content-Encoding', 'dcz')
    response.end(isPatch ? patchOf(base, CONTENT) : CONTENT)
  })
  const { from, to } = deviceWith(base)
  const done = await clientOf(url).download(updateAt(url), { from, to })
  expect(done).toEqual({ received: CONTENT.length, patched: false })
})

test('a connection that is lost during a patch is made up for by the file', async () => {
  const base = Buffer.concat([noise(100_000, 'base'), CONTENT.subarray(50_000)])
  const patch = patchOf(base, CONTENT)
  const url = await answering((request, response) => {
    if (request.headers['accept-encoding'] !== 'dcz') return response.end(CONTENT)
    response.writeHead(200, { 'Content-Encoding': 'dcz', 'Content-Length': patch.length })
    return response.write(patch.subarray(0, 1_000), () => response.destroy())
  })
  const { from, to } = deviceWith(base)
  const done = await clientOf(url).download(updateAt(url), { from, to })
  expect(done).toEqual({ received: CONTENT.length, patched: false })
})

test('a file that is not the one that was published is not kept', async () => {
  const url = await answering((_request, response) => response.end(CONTENT))
  const { to, folder } = deviceWith(undefined)
  const digest = createHash('sha512').update(CONTENT).digest()
  const client = clientOf(url)
  for (const members of [{ sha512: 'a'.repeat(128) }, { size: 1_000 }]) {
    const failed = client.download(updateAt(url, members), { to })
    await expect(failed).rejects.toMatchObject({ name: 'CheckError', problem: 'invalid' })
  }
  expect(readdirSync(folder)).toEqual([])
  for (const sha512 of [digest.toString('base64'), digest.toString('hex').toUpperCase()]) {
    await client.download(updateAt(url, { sha512, size: 0 }), { to })
    expect(readFileSync(to).equals(CONTENT)).toBe(true)
  }
})

test('all of another file is not downloaded twice', async () => {
  let requests = 0
  const url = await answering((_request, response) => {
    requests += 1
    response.end('another')
  })
  const { from, to } = deviceWith(noise(1_000, 'base'))
  const failed = clientOf(url).download(updateAt(url), { from, to })
  await expect(failed).rejects.toMatchObject({ problem: 'invalid' })
  expect(requests).toBe(1)
})

test('a download that fails leaves what was there, and says why', async () => {
  const { from, to, folder } = deviceWith(noise(1_000, 'base'))
  writeFileSync(to, 'earlier')
  const problemOf = async (url: string, timeout?: number) => {
    const failed = clientOf(url, timeout).download(updateAt(url), { from, to })
    return await failed.catch(({ problem, retryAfter }) => [problem, retryAfter])
  }
  const busy = await answering((_request, response) => {
    response.writeHead(503, { 'Retry-After': '7' }).end('{"error":"Too many downloads"}')
  })
  expect(await problemOf(busy)).toEqual(['limited', 7])
  const missing = await answering((_request, response) => {
    response.writeHead(404).end('{"error":"Unknown file"}')
  })
  expect(await problemOf(missing)).toEqual(['rejected', undefined])
  const silent = await answering((_request, response) => void response.write('some'))
  expect(await problemOf(silent, 50)).toEqual(['timeout', undefined])
  const lost = await answering((_request, response) => {
    response.write('some', () => response.destroy())
  })
  expect(await problemOf(lost)).toEqual(['unreachable', undefined])
  expect(readFileSync(to, 'utf8')).toBe('earlier')
  expect(readdirSync(folder).sort()).toEqual(['current.zip', 'next.zip'])
  const nowhere = join(folder, 'missing', 'next.zip')
  const url = await answering((_request, response) => response.end(CONTENT))
  await expect(clientOf(url).download(updateAt(url), { to: nowhere })).rejects.toThrow('ENOENT')
})

test('a download that is aborted rejects with the reason', async () => {
  const stop = new AbortController()
  const reason = new Error('the app quits')
  const url = await answering((_request, response) => {
    response.write('some', () => stop.abort(reason))
  })
  const { from, to } = deviceWith(noise(1_000, 'base'))
  const failed = clientOf(url).download(updateAt(url), { from, to, signal: stop.signal })
  await expect(failed).rejects.toBe(reason)
  expect(existsSync(to)).toBe(false)
})
