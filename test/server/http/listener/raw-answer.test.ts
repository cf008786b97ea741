import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { answerRaw } from '../../../../src/server/http/listener/raw-answer.ts'

test('a caller that has broken the connection before its answer does no harm', async () => {
  const socket = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' }))
    },
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  answerRaw(socket, 404, 'unknown route CONNECT example.com:443')
  await closed
  expect(socket.destroyed).toBe(true)
})
