import { expect, test } from 'vitest'
import { artifact } from '../../../support/builders/releases.ts'
import { publish, RELEASES } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { exchange } from '../../../support/servers/wire.ts'

const CHECK = '/u/editor/stable/darwin/aarch64/1.0.0'

test('a target in absolute form means the same as its path, on every route', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0')
  const send = (target: string, method = 'GET') => {
    const key = `Authorization: Bearer ${server.key}`
    const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${key}\r\nConnection: close`
    return exchange(server.address, `${head}\r\n\r\n`)
  }
  const paths = [
    ...[CHECK, `${CHECK}?l.ring=beta`, `${CHECK}/`, '/u/player/stable/darwin/aarch64/1.0.0'],
    ...['/feed/editor/stable', '/healthz', '/api/v1/openapi.json', RELEASES, `${RELEASES}?page=2`],
    ...['/nowhere', '/', '/?x=1', '/u/editor/stable/darwin/aarch64/%ff', '/%', '/feed/%/%'],
  ]
  for (const path of paths) {
    // What waits to be written is part of the answer.
    if (path === '/healthz') await server.fleet.settled()
    const plain = await send(path)
    expect(plain.status, path).toBeGreaterThanOrEqual(200)
    for (const origin of ['http://localhost:8440', 'https://updates.example', 'HTTP://[::1]:1']) {
      const { status, text } = await send(origin + path)
      expect({ status, text }, origin + path).toEqual({ status: plain.status, text: plain.text })
    }
  }
  const root = await send('/')
  expect((await send('http://localhost')).text).toBe(root.text)
  expect((await send('http://localhost?x=1')).text).toBe(root.text)
  expect((await send(`http://localhost${CHECK}`, 'HEAD')).status).toBe(200)
})

test('slashes in a row in a path mean one, wherever a device asks', async () => {
  const server = await startWithApp()
  const file = 'https://downloads.example//Editor.exe'
  const of = (platform: string, kind: string, url: string, signature = '') =>
    artifact({ platform, arch: 'x86_64', kind, url, signature })
  const name = 'Editor-1.1.0-full.nupkg'
  const artifacts = [
    of('windows', 'nsis', file),
    of('windows', 'nupkg', `https://a.example/${name}`, `${'94'.repeat(20)} ${name} 42`),
    of('darwin', 'zip', 'https://a.example/Editor.zip', `${'A'.repeat(86)}==`),
  ]
  await publish(server, '1.1.0', { artifacts })
  const device = 'Host: localhost\r\nX-Service-Device: a\r\nConnection: close'
  const send = (target: string, body: string) => {
    const [method, length] =
      body === '' ? ['GET', ''] : ['POST', `\r\nContent-Length: ${body.length}`]
    const type = 'Content-Type: application/json'
    const head = `${method} ${target} HTTP/1.1\r\n${device}\r\n${type}${length}`
    return exchange(server.address, `${head}\r\n\r\n${body}`)
  }
  const outcome = JSON.stringify({ version: '1.1.0', outcome: 'ok' })
  const event = 'e'.repeat(32)
  const places: readonly (readonly [path: string, found: string, body?: string])[] = [
    ['/u/editor/stable/windows/x86_64/1.0.0?l.site=a//b', file],
    ['/u/editor/stable/outcome', '204', outcome],
    ['/electron/editor/stable/latest.yml', file],
    ['/sparkle/editor/stable/appcast.xml', 'Editor.zip'],
    ['/squirrel/editor/stable/darwin/x64/1.0.0', 'Editor.zip'],
    ['/squirrel/editor/stable/windows/x64/1.0.0/RELEASES', name],
    ['/velopack/editor/stable/windows/x64/releases.win.json', name],
    ['/feed/editor/stable', file],
    ['/sentry/editor/api/1/envelope/', event, JSON.stringify({ event_id: event })],
    [`/files/${'a'.repeat(32)}/Editor.exe`, 'unknown file'],
  ]
  for (const [path, found, body = ''] of places) {
    const { status, text } = await send(path, body)
    expect(`${status} ${text}`, path).toContain(found)
    for (const doubled of [`/${path}`, path.replace('/editor/', '//editor///')]) {
      expect(await send(doubled, body), doubled).toMatchObject({ status, text })
      expect(await send(`http://localhost${doubled}`, body)).toMatchObject({ status, text })
    }
  }
})

test('every request line that can be read is answered', async () => {
  const server = await startWithApp()
  const lines: readonly (readonly [line: string, status: number])[] = [
    ['GET http:// HTTP/1.1', 400],
    ['GET http:///healthz HTTP/1.1', 400],
    ['GET http://?x HTTP/1.1', 400],
    ['GET * HTTP/1.1', 400],
    ['HEAD * HTTP/1.1', 400],
    ['GET ftp://host/file HTTP/1.1', 400],
    ['GET localhost:8440 HTTP/1.1', 400],
    ['GET healthz HTTP/1.1', 400],
    ['OPTIONS * HTTP/1.1', 404],
    ['TRACE /healthz HTTP/1.1', 404],
    ['CONNECT localhost:8440 HTTP/1.1', 404],
    ['PROPFIND /u/editor HTTP/1.1', 404],
    ['BREW /coffee HTTP/1.1', 400],
    ['GET //healthz HTTP/1.1', 200],
    ['GET /healthz#part HTTP/1.1', 200],
    ['GET /\x01 HTTP/1.1', 400],
    ['GET /ü HTTP/1.1', 400],
    ['PRI * HTTP/2.0', 400],
    ['GET /healthz', 200],
  ]
  for (const [line, status] of lines) {
    const answer = await exchange(
      server.address,
      `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(answer.status, line).toBe(status)
    if (line.startsWith('HEAD')) continue
    const body = JSON.parse(answer.text)
    if (status >= 400) expect(Object.keys(body), line).toEqual(['error'])
  }
})

test('an upgrade that is offered is ignored, and the connection closed', async () => {
  const server = await startWithApp()
  for (const protocol of ['websocket', 'h2c', 'TLS/1.2']) {
    const head = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}`
    const { status, headers } = await exchange(server.address, `${head}\r\n\r\nmore`)
    expect([status, headers.get('connection')], protocol).toEqual([200, 'close'])
  }
})

test('a caller that sends more after a request that is refused still gets the answer', async () => {
  const server = await startWithApp()
  const more = `GET ${CHECK} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(100_000)
  const { status, text } = await exchange(
    server.address,
    `GET http:/// HTTP/1.1\r\nHost: localhost\r\n\r\n${more}`,
  )
  expect(status).toBe(400)
  expect(text.match(/HTTP\/1\.1 /g)).toBeNull()
})
