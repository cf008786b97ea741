import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  builtFile,
  downloadUrl,
  startHosting,
  uploadFile,
} from '../../../support/servers/hosting.ts'

const SIZE = 600_000

async function served() {
  const server = await startHosting()
  const { content } = builtFile(SIZE)
  const url = downloadUrl(server, await uploadFile(server, content))
  const get = async (range: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(url, { headers: { range, ...headers } })
    return { response, body: Buffer.from(await response.arrayBuffer()) }
  }
  return { content, url, get }
}

/** Reads a body of several parts by its boundary alone (RFC 2046 section 5.1.1). Throws if anything is left over. */
function partsOf(type: string, body: Buffer) {
  const [, boundary = ''] = /^multipart\/byteranges; boundary=([\w-]{1,70})$/.exec(type) ?? []
  const text = body.toString('latin1')
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`)
  expect(pieces.at(0)).toBe('')
  expect(pieces.at(-1)).toBe('--\r\n')
  return pieces.slice(1, -1).map((piece) => {
    const [, range, start, end] =
      /^\r\nContent-Type: application\/octet-stream\r\nContent-Range: (bytes (\d+)-(\d+)\/\d+)\r\n\r\n/.exec(
        piece,
      ) ?? []
    const content = Buffer.from(piece.slice(piece.indexOf('\r\n\r\n') + 4), 'latin1')
    return { range, start: Number(start), end: Number(end), content }
  })
}

test('several ranges of a file come in one answer, each with what it is', async () => {
  const { content, get } = await served()
  const cut = fc.uniqueArray(fc.nat(SIZE - 1), { minLength: 4, maxLength: 400 })
  await fc.assert(
    fc.asyncProperty(cut, fc.boolean(), async (numbers, isSpaced) => {
      const edges = numbers.toSorted((one, other) => one - other)
      const ranges = Array.from({ length: Math.floor(edges.length / 2) }, (_, at) => {
        return [edges[at * 2] ?? 0, edges[at * 2 + 1] ?? 0] as const
      })
      const list = ranges.map(([start, end]) => `${start}-${end}`)
      const { response, body } = await get(`bytes=${list.join(isSpaced ? ', ' : ',')}`)
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBeNull()
      expect(response.headers.get('content-length')).toBe(String(body.length))
      const found = partsOf(response.headers.get('content-type') ?? '', body)
      expect(found.map(({ range }) => range)).toEqual(list.map((each) => `bytes ${each}/${SIZE}`))
      for (const part of found) {
        expect(part.content.equals(content.subarray(part.start, part.end + 1))).toBe(true)
      }
    }),
    { numRuns: 30 },
  )
})

test.each(['bytes=0-1', 'bytes=0-1,100-199', `bytes=${SIZE}-`])(
  'HEAD has no ranges: %s',
  async (range) => {
    const { url } = await served()
    const { status, headers } = await fetch(url, { method: 'HEAD', headers: { range } })
    expect([status, headers.get('content-length'), headers.get('content-range')]).toEqual([
      200,
      String(SIZE),
      null,
    ])
    expect(headers.get('accept-ranges')).toBe('bytes')
  },
)

test('of several ranges those are sent that the file has, a single one by itself', async () => {
  const { content, get } = await served()
  const { response, body } = await get(`bytes=0-1, ${SIZE}-${SIZE + 5}, -2`)
  const found = partsOf(response.headers.get('content-type') ?? '', body)
  expect(found.map(({ range }) => range)).toEqual([
    `bytes 0-1/${SIZE}`,
    `bytes ${SIZE - 2}-${SIZE - 1}/${SIZE}`,
  ])
  const one = await get(`bytes=5-6,${SIZE}-`)
  expect(one.response.headers.get('content-range')).toBe(`bytes 5-6/${SIZE}`)
  expect(one.body.equals(content.subarray(5, 7))).toBe(true)
  const none = await get(`bytes=${SIZE}-,-0`)
  expect([none.response.status, none.response.headers.get('content-range')]).toEqual([
    416,
    `bytes */${SIZE}`,
  ])
})

const many = (count: number) => Array.from({ length: count }, (_, at) => `${at * 2}-${at * 2}`)

test('ranges that cost more than the file are answered with the file', async () => {
  const { content, get } = await served()
  for (const range of [
    ...['0-5,5-9', '0-,0-,0-', '9-10,1-2', '0-9,-100000000', '-5,-3', '1-2,4-3', '1-2,x', '1-2,'],
    many(1_001).join(','),
  ]) {
    const { response, body } = await get(`bytes=${range}`)
    expect.soft(response.status, range.slice(0, 40)).toBe(200)
    expect.soft(body.equals(content), range.slice(0, 40)).toBe(true)
  }
  expect((await get(`bytes=${many(1_000).join(',')}`)).response.status).toBe(206)
})

test('several ranges of another file are those of no file', async () => {
  const { get } = await served()
  const { response } = await get('bytes=0-1,5-6', { 'if-range': '"other"' })
  expect(response.status).toBe(200)
})
