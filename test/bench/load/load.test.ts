import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { drive } from './drive.ts'
import { Histogram } from './histogram.ts'
import { parseReplyHead } from './reply-head.ts'

const REPLY = 'HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 11\r\n\r\nhello world'

test('a reply head is read only when it is complete', () => {
  const bytes = Buffer.from(REPLY)
  const headBytes = REPLY.indexOf('hello')
  for (let length = 0; length < headBytes; length += 1) {
    expect(parseReplyHead(bytes, length)).toBeUndefined()
  }
  expect(parseReplyHead(bytes, headBytes)).toEqual({ status: 200, headBytes, bodyBytes: 11 })
})

test('a 204 ends with its head, and a reply in chunks is refused', () => {
  const none = Buffer.from('HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n')
  expect(parseReplyHead(none, none.length)).toMatchObject({ status: 204, bodyBytes: 0 })
  const chunked = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
  expect(() => parseReplyHead(chunked, chunked.length)).toThrow('in chunks')
})

test('percentiles are real values in steps of 0.01 ms', () => {
  const histogram = new Histogram()
  for (let i = 1; i <= 1000; i += 1) histogram.add(i / 100 - 0.005)
  expect(histogram.percentile(50)).toBeCloseTo(5, 1)
  expect(histogram.percentile(99)).toBeCloseTo(9.9, 1)
  histogram.add(60_000)
  expect(histogram.percentile(100)).toBe(60_000)
})

test('replies count whole, in whatever pieces they arrive', async () => {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    let cut = 0
    socket.on('data', () => {
      cut = (cut + 7) % REPLY.length
      socket.write(REPLY.slice(0, cut))
      setTimeout(() => socket.write(REPLY.slice(cut)), 2)
    })
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let left = 60
  const next = () => (left-- > 0 ? Buffer.from('GET / HTTP/1.1\r\n\r\n') : undefined)
  const result = await drive({ port, connections: 3, next, expect: 200 })
  expect(result).toMatchObject({ requests: 60, replyBytes: REPLY.length })
  const refused = drive({ port, connections: 1, next: () => Buffer.from('x'), expect: 204 })
  await expect(refused).rejects.toThrow('expected 204')
  server.close()
})
