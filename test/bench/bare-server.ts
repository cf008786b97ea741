import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { BareReply } from './fleet/captured-reply.ts'

// The baseline of a comparison: node:http that sends one captured reply to every request, with the same server
// options as Tidegate. Usage: bare-server.ts FILE, a BareReply as JSON.

const reply = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BareReply
const options = { optimizeEmptyRequests: true, keepAliveTimeout: reply.keepAliveMs }
const server = createServer(options, (_request, response) => {
  response.sendDate = reply.date
  response.writeHead(reply.status, reply.headers)
  response.end(reply.body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.stdout.write(`The bare server is listening on http://127.0.0.1:${address.port}\n`)
})
