import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { paced } from '../../../../src/server/http/files/downloads.ts'
import { pieceSize, readPieces } from '../../../../src/server/http/files/read-pieces.ts'
import { sendFile } from '../../../../src/server/http/files/send-file.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

// More than the buffers of a connection hold.
const SIZE = 32 * 1_024 ** 2

/** All of a file, read as it is with many downloads. */
function all(handle: FileHandle) {
  const part = { handle, segments: [{ start: 0, length: SIZE }] }
  return { length: SIZE, read: readPieces(part, pieceSize(100)) }
}

/** Sends a file to whoever connects. */
async function serve(send: (response: ServerResponse, file: FileHandle) => Promise<void>) {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, Buffer.alloc(SIZE))
  const file = await open(path)
  let ended: Promise<void> | undefined
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': String(SIZE) })
    ended = send(response, file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    server.close()
    await file.close()
  })
  socket.write('GET / HTTP/1.1\r\nHost: any\r\n\r\n')
  return { path, socket, ended: () => ended }
}

test('a client that takes too little is disconnected', async () => {
  const { socket, ended } = await serve((response, file) =>
    sendFile(response, { ...all(file), leastTime: 50, leastRate: 1e9 }),
  )
  // It reads nothing but what the system buffers.
  await once(socket, 'readable')
  await ended()
  socket.resume()
  await once(socket, 'close')
  expect(socket.bytesRead).toBeLessThan(SIZE)
})

test('a download ends when its file turns out to be shorter, or its client leaves', async () => {
  const shortened = await serve(async (response, file) => {
    truncateSync(shortened.path, SIZE / 2)
    await sendFile(response, all(file))
  })
  shortened.socket.resume()
  await once(shortened.socket, 'close')
  expect(shortened.socket.bytesRead).toBeLessThan(SIZE)
  await shortened.ended()

  const left = await serve((response, file) => sendFile(response, all(file)))
  await once(left.socket, 'readable')
  left.socket.destroy()
  await left.ended()
})

test('a download whose client left before it began ends at once', async () => {
  const begun = Promise.withResolvers<void>()
  const { socket, ended } = await serve(async (response, file) => {
    const closed = once(response, 'close')
    begun.resolve()
    await closed
    await sendFile(response, all(file))
  })
  await begun.promise
  socket.destroy()
  await ended()
})

/** Reads a part to its end, as it is sent. */
async function readAll(read: (position: number) => Promise<Buffer>, length: number) {
  const pieces: Buffer[] = []
  for (let position = 0; position < length; ) {
    // A copy: the buffer is used again.
    const piece = Buffer.from(await read(position))
    if (piece.length === 0) break
    pieces.push(piece)
    position += piece.length
  }
  return Buffer.concat(pieces)
}

async function openFile(content: Buffer) {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, content)
  const handle = await open(path)
  onTestFinished(() => handle.close())
  return handle
}

test('a part of a file is read as it is, whatever the size of the pieces', async () => {
  const content = randomBytes(200_017)
  const handle = await openFile(content)
  const parts = [
    ...[
      [0, 200_017, 65_536],
      [5, 10, 1_048_576],
      [65_535, 2, 65_536],
      [1, 131_072, 65_536],
    ],
    ...[[200_016, 1, 32_768]],
  ] as const
  for (const [start, length, size] of parts) {
    const found = await readAll(readPieces({ handle, segments: [{ start, length }] }, size), length)
    expect(found.equals(content.subarray(start, start + length)), `${start}`).toBe(true)
  }
  const beyond = readPieces({ handle, segments: [{ start: 200_000, length: 100 }] }, 50)
  expect([(await beyond(0)).length, (await beyond(17)).length]).toEqual([17, 0])
})

test('pieces are smaller the more downloads run, so that their memory is bounded', () => {
  expect([1, 16, 17, 32, 100, 500, 5_000].map((running) => pieceSize(running) / 1_024)).toEqual([
    ...[256, 256, 256, 256, 128, 32, 32],
  ])
})

test('many who call at once, or one after the other, cost no more than one each time', async () => {
  let now = 0
  const time = {
    clock: () => now,
    wait: async (milliseconds: number) => {
      now += milliseconds
    },
  }
  const begun: number[] = []
  const work = async () => {
    begun.push(now)
    now += 10
  }
  const call = paced(work, 50, time)
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 100 }, () => call()))
  }
  expect(begun).toEqual([0, 50, 100, 150])
})

test('who calls while it works waits for work that begins later, and hears of its failure', async () => {
  const first = Promise.withResolvers<void>()
  let runs = 0
  const call = paced(async () => {
    runs += 1
    if (runs === 1) await first.promise
    else throw new Error('second')
  }, 1)
  const one = call()
  await expect.poll(() => runs).toBe(1)
  const two = call()
  first.resolve()
  await one
  await expect(two).rejects.toThrow('second')
})
