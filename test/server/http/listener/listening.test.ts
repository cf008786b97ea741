import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { closeListener } from '../../../../src/server/http/listener/listening.ts'
import { openSocket, readAnswer, readToEnd } from '../../../support/servers/wire.ts'

test('closing waits for a request under way, and then not for its connection', async () => {
  const listener = createServer({ keepAliveTimeout: 0 })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const socket = await openSocket(`http://127.0.0.1:${port}`)
  const received = readToEnd(socket)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [, response]: ServerResponse[] = await once(listener, 'request')
  // Without the sockets that it could cut after its time.
  const closed = closeListener(listener, new Set())
  response?.end('done')
  expect(readAnswer(await received)).toMatchObject({ status: 200, text: 'done' })
  await closed
})
