import { expect, test } from 'vitest'
import { revokeKey } from '../../../src/server/catalog/keys.ts'
import { OPERATIONS } from '../../../src/server/http/openapi/openapi.ts'
import { Wall } from '../../../src/shared/console/overview.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { call, pageHeaders, send, startBrowserConsole } from '../../support/servers/browser.ts'
import { publish } from '../../support/servers/calls.ts'
import { callerOf, failureOf } from '../../support/servers/console.ts'
import { report } from '../../support/servers/fleet-calls.ts'
import type { TestServer } from '../../support/servers/server.ts'

async function startWithWall(): Promise<{ server: TestServer; token: string }> {
  const server = await startBrowserConsole()
  for (const ref of ['editor', 'player']) await callerOf(server).apps.create({ ref, name: ref })
  await publish(server, '1.0.0')
  await publish(server, '1.1.0', { rolloutPct: 25 })
  await report(server, [
    { deviceId: 'a', version: '1.1.0' },
    { deviceId: 'b', version: '1.0.0' },
  ])
  return { server, token: await server.mint({ scopes: ['wall'] }) }
}

function look({ address }: TestServer, token: string) {
  return send(address, '/console/wall', { headers: { authorization: `Bearer ${token}` } })
}

test('the link of a wall view shows releases and counts of its app, until it is revoked', async () => {
  const { server, token } = await startWithWall()
  const all = await look(server, token)
  expect(all.status).toBe(200)
  const { apps } = Wall.parse(JSON.parse(all.text))
  expect(apps.map(({ ref }) => ref)).toEqual(['editor', 'player'])
  expect(apps[0]?.channels[0]).toMatchObject({
    ...{ name: 'stable', seenLast7Days: 2, shareUpToDate: 1 },
    live: [
      { version: '1.1.0', rolloutPct: 25, adoption: 0.5, failing: false, plan: null },
      { version: '1.0.0', rolloutPct: 100, adoption: 0.5 },
    ],
  })
  expect(all.text).not.toMatch(/127\.0\.0\.1|deviceId|address/)
  const one = await look(server, await server.mint({ scopes: ['wall'], app: 'player' }))
  expect(Wall.parse(JSON.parse(one.text)).apps.map(({ ref }) => ref)).toEqual(['player'])
  await revokeKey(server.catalog, ACTOR, token.slice(0, 8))
  expect((await look(server, token)).status).toBe(401)
  // A key for something else is none for this.
  expect((await look(server, server.key)).status).toBe(403)
})

test('such a link reaches nothing else', async () => {
  const { server, token } = await startWithWall()
  const keyed = OPERATIONS.filter(({ scope }) => scope !== null)
  expect(keyed.length).toBeGreaterThan(10)
  for (const { method, path } of keyed) {
    const place = path.replaceAll(/\{\w+\}/g, 'editor')
    const body = method === 'get' ? {} : { body: {} }
    const { status } = await server.call(method.toUpperCase(), place, { key: token, ...body })
    expect({ method, path, status }).toEqual({ method, path, status: 403 })
  }
  const { address } = server
  for (const procedure of ['overview.get', 'apps.names', 'keys.list', 'audit.list']) {
    const headers = { ...pageHeaders(address), authorization: `Bearer ${token}` }
    expect((await call(address, `api/${procedure}`, undefined, headers)).status).toBe(401)
  }
  const scopes = ['read', 'wall'] as const
  const mixed = callerOf(server).keys.mint({ name: 'both', scopes: [...scopes], app: null })
  expect((await failureOf(mixed)).message).toContain('wall')
})
