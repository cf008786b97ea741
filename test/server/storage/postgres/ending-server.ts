import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

const AUTHENTICATED = message('R', [0, 0, 0, 0])
const READY = message('Z', Buffer.from('I'))
const ENDED = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)

/**
 * Starts a server that ends every connection in the moment when it is open: the greeting and the end arrive together.
 * Returns its address, and how many connections it ended.
 */
export async function startEndingServer() {
  const ended = { count: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      ended.count++
      socket.end(Buffer.concat([AUTHENTICATED, READY, ENDED]))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `postgres://nobody@127.0.0.1:${address.port}/none`, ended }
}

/** A message of the protocol (PostgreSQL documentation: Message Formats). */
function message(type: string, content: Iterable<number>): Buffer {
  const bytes = Buffer.from([...content])
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
