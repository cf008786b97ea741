import { rmSync, truncateSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  builtFile,
  downloadUrl,
  type HostingServer,
  startHosting,
  uploadFile,
} from '../../../support/servers/hosting.ts'

const CONTENT = Buffer.from('0123456789abcdefghij')

async function served(hosting?: Parameters<typeof startHosting>[0]) {
  const server = await startHosting(hosting)
  const file = await uploadFile(server, CONTENT, "it's (1).AppImage")
  return { server, file, url: downloadUrl(server, file) }
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' })

test('a download can be cached forever, and is nothing that a browser shows', async () => {
  const { file, url } = await served()
  const response = await get(url)
  expect(await response.text()).toBe(CONTENT.toString())
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': '20',
    'content-disposition': `attachment; filename*=UTF-8''it%27s%20%281%29.AppImage`,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: `"${file.sha512.slice(0, 64)}"`,
  }
  expect(Object.fromEntries(response.headers)).toMatchObject(headers)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  const head = await get(url, {}, 'HEAD')
  expect(Object.fromEntries(head.headers)).toMatchObject(headers)
  expect(await head.text()).toBe('')
  const known = await get(url, { 'if-none-match': headers.etag, 'cache-control': 'no-cache' })
  expect(known.status).toBe(304)
  expect(known.headers.get('etag')).toBe(headers.etag)
})

test('a file has its full hash and its short one as addresses, and its name in every notation', async () => {
  const { server, file, url } = await served()
  const at = (path: string) => get(`${server.address}/files/${path}`)
  const { sha512 } = file
  const id = sha512.slice(0, 32)
  const name = encodeURIComponent("it's (1).AppImage")
  for (const same of [name, `${name}?from=1`, name.replace('A', '%41'), name.replace('t', '%74')]) {
    expect((await at(`${sha512}/${same}`)).status, same).toBe(200)
    expect((await at(`${id}/${same}`)).status, same).toBe(200)
  }
  const { etag } = Object.fromEntries((await get(url)).headers)
  for (const strange of [
    ...['other.exe', 'latest', `${name}.blockmap`, `${name}%2eblockmap`, `${name}.sig`, id],
    ...[name.toUpperCase(), name.replace('A', '%2541'), `%20${name}`, `${name}%20`, `x${name}`],
    ...[`${name}.`, `${name}%3ffrom=1`, name.replace('i', '%C4%B1'), 'invoice.pdf'],
  ]) {
    for (const hash of [sha512, id]) {
      const there = `${server.address}/files/${hash}/${strange}`
      expect.soft((await get(there)).status, strange).toBe(404)
      expect.soft((await get(there, {}, 'HEAD')).status, strange).toBe(404)
      expect.soft((await get(there, { range: 'bytes=0-1' })).status, strange).toBe(404)
      expect.soft((await get(there, { 'if-none-match': etag ?? '' })).status, strange).toBe(404)
    }
  }
  const other = `${sha512.slice(0, 127)}${sha512.endsWith('0') ? '1' : '0'}`
  for (const path of [
    ...[`${other}/a`, `${sha512.slice(0, 31)}/a`, `${sha512.toUpperCase()}/a`, `${sha512}`],
    ...[`${sha512}/`, `${sha512}/a/b`, `${sha512}/%2e%2e`, `${sha512}/..%2f${sha512}`],
    ...[`${sha512}/a%00b`, `..%2ffiles%2f${sha512}/a`, `%2e%2e/uploads`, `${sha512}.json/a`],
  ]) {
    expect.soft((await at(path)).status, path).toBe(404)
  }
})

/** Sends a request as it is: `fetch` would resolve the path. */
async function raw({ address }: HostingServer, target: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}

test('no path leads out of the folder', async () => {
  const { server, file } = await served()
  for (const target of [
    `/files/${file.sha512}/../../../../etc/passwd`,
    '/files/../../../../etc/passwd',
    `/files/..\\..\\etc\\passwd/${file.sha512}`,
    `/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd/a`,
    `/files/${file.sha512}.json/x`,
  ]) {
    expect.soft(await raw(server, target), target).toMatch(/^HTTP\/1\.1 40[04] /)
  }
})

const RANGES = [
  ['bytes=0-0', '0', 'bytes 0-0/20'],
  ['bytes=5-9', '56789', 'bytes 5-9/20'],
  ['bytes=15-', 'fghij', 'bytes 15-19/20'],
  ['bytes=-3', 'hij', 'bytes 17-19/20'],
  ['bytes=-100', CONTENT.toString(), 'bytes 0-19/20'],
  ['bytes=18-1000', 'ij', 'bytes 18-19/20'],
] as const

test('a range of a file is served alone', async () => {
  const { url } = await served()
  for (const [range, expected, contentRange] of RANGES) {
    const response = await get(url, { range })
    const { headers, status } = response
    const found = [status, await response.text(), headers.get('content-range')]
    expect.soft(found, range).toEqual([206, expected, contentRange])
    expect.soft(headers.get('content-length')).toBe(String(expected.length))
  }
})

test('ranges that cannot be served, and those of another file', async () => {
  const { url, file } = await served()
  expect((await get(url, { range: 'bytes=-0' })).status).toBe(416)
  const beyond = await get(url, { range: 'bytes=20-' })
  expect(beyond.status).toBe(416)
  expect(beyond.headers.get('content-range')).toBe('bytes */20')
  expect(await beyond.json()).toEqual({ error: 'Range: the file has 20 bytes' })
  for (const range of ['lines=1-2', 'bytes=x', 'bytes=9-5']) {
    expect.soft((await get(url, { range })).status, range).toBe(200)
  }
  const etag = `"${file.sha512.slice(0, 64)}"`
  const range = 'bytes=0-4'
  expect((await get(url, { range, 'if-range': etag })).status).toBe(206)
  expect((await get(url, { range, 'if-range': '"other"' })).status).toBe(200)
  expect((await get(url, { range, 'if-range': `W/${etag}` })).status).toBe(200)
  const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
  expect((await get(url, { range, 'if-range': date })).status).toBe(200)
})

test('a large file arrives as it was, in whole and in part', async () => {
  const server = await startHosting()
  const { content } = builtFile(3 * 512 * 1_024 + 17)
  const url = downloadUrl(server, await uploadFile(server, content))
  const whole = Buffer.from(await (await get(url)).arrayBuffer())
  expect(whole.equals(content)).toBe(true)
  const part = await get(url, { range: 'bytes=500000-1200000' })
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(500_000, 1_200_001))).toBe(
    true,
  )
})

test.each([
  ['deleted', (path: string) => rmSync(path)],
  ['shortened', (path: string) => truncateSync(path, 5)],
])(
  'a file that was %s below the server is unknown and logged, and can be uploaded again',
  async (_, damage) => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => lines.push(line) })
    const server = await startHosting({}, { log })
    const { content, sha512 } = builtFile(100)
    const file = await uploadFile(server, content)
    damage(join(server.artifacts, 'files', sha512))
    expect((await get(downloadUrl(server, file))).status).toBe(404)
    expect(lines.join('')).toContain('stored file lost')
    expect(lines.join('')).toContain(sha512)
    await uploadFile(server, content)
    const again = await get(downloadUrl(server, file))
    expect(Buffer.from(await again.arrayBuffer()).equals(content)).toBe(true)
  },
)

/** Opens a download and reads nothing but its head. */
async function hold(url: string) {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await new Promise((resolve) => socket.once('readable', resolve))
  return socket
}

test('as many downloads run as are allowed, the next one waits for its turn, others are sent away', async () => {
  const server = await startHosting({ downloads: 1 })
  // More than the buffers of a connection hold.
  const { content } = builtFile(32 * 1_024 ** 2)
  const url = downloadUrl(server, await uploadFile(server, content))
  const first = await hold(url)
  // One of two fills the line, whichever comes first, and the other is refused at once.
  const both = [1, 2].map(() => get(url, { range: 'bytes=0-3' }))
  const refused = await Promise.race(both)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(30)
  expect((await refused.json()).error).toMatch(/^too many downloads; try again in \d+ s$/)
  first.destroy()
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([206, 503])
})

test('a limited bandwidth sends small pieces, the next when the one before has its time', async () => {
  const server = await startHosting({ clientRate: 1 })
  const url = downloadUrl(server, await uploadFile(server, builtFile(64 * 1_024).content))
  const response = await get(url)
  const reader = response.body?.getReader()
  let received = 0
  while (received < 32 * 1_024) received += (await reader?.read())?.value?.length ?? 0
  // Another answer comes after what was sent before it.
  await server.call('GET', '/healthz/live', { key: null })
  const more = reader?.read().then(() => 'more')
  await server.call('GET', '/healthz/live', { key: null })
  expect(await Promise.race([more, Promise.resolve('nothing')])).toBe('nothing')
  expect(received).toBe(32 * 1_024)
  await reader?.cancel()
})
