import { expect, test } from 'vitest'
import { RELEASES } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { exchange } from '../../../support/servers/wire.ts'

const ROUTES = [
  ['POST', RELEASES],
  ['PATCH', RELEASES],
  ['POST', '/api/v1/fleet/decisions'],
  ['POST', '/api/v1/fleet/report'],
] as const

test('a request without a body is rejected immediately', async () => {
  const server = await startWithApp()
  for (const [method, path] of ROUTES) {
    for (const length of [[], ['Content-Length: 0']]) {
      const lines = [
        `${method} ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${server.key}`,
        ...length,
        ...['Connection: close', '', ''],
      ]
      const { status, text } = await exchange(server.address, lines.join('\r\n'))
      expect({ method, path, length, status }).toEqual({ method, path, length, status: 400 })
      expect(text).toMatch(/required"\}$/)
    }
  }
})
