import { readFileSync } from 'node:fs'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { makePair, replace, shownName } from '../../../support/builders/certificates.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { eventualValue } from '../../../support/eventually.ts'
import {
  cli,
  done,
  expectRefused,
  refusal,
  serveCli,
  serveWith,
  shown,
  startCli,
} from '../../../support/processes/cli.ts'
import { RELEASES } from '../../../support/servers/calls.ts'
import { databaseVariables, isOnPostgres } from '../../../support/servers/engine.ts'
import { request } from '../../../support/servers/server.ts'

test.concurrent('the server prints its address, holds its folder, and stops gracefully', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const server = await serveCli(folder, '--log-level', 'info')
  expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const health = await request(`${server.address}/healthz`, 'GET')
  expect(health.body.status).toBe('ok')

  const second = await cli(folder, 'serve', '--port', '0')
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(second)).toContain(`in use by the server at ${server.address}`)

  const { port } = new URL(server.address)
  const other = await cli(join(fileFolder(), 'other'), 'serve', '--port', port)
  expect(other).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(other)).toContain(`port ${port} on 127.0.0.1 is already in use`)

  const headers = { 'X-Service-Device': DEVICE }
  await request(`${server.address}/u/editor/stable/darwin/aarch64/1.0.0`, 'GET', { headers })
  const ended = await server.stop('SIGTERM')
  expect(ended).toMatchObject({
    code: 0,
    stdout: `Tidegate is listening on ${server.address}\n`,
  })
  const messages = ended.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  expect(messages).toEqual(['listening', 'stopped'])

  // The check that was answered just before is there, and the folder is free again.
  const { device } = await shown(folder, 'device', 'show', 'editor', DEVICE)
  expect(device.version).toBe('1.0.0')
  // Also after a server that could not clean up.
  await (await serveCli(folder)).stop('SIGKILL')
  const again = await serveCli(folder)
  expect(await again.stop('SIGINT')).toMatchObject({ code: 0 })
})

test.concurrent('a second signal ends a stop that waits for a request under way', async () => {
  const folder = fileFolder()
  prepareDatabase(folder, { lockHeld: false })
  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  const server = await serveCli(folder)
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const asking = `POST /api/v1/releases HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
  socket.write(`${asking}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`)
  // The server has begun with the request when it asks for the body.
  await new Promise((resolve) => socket.once('data', resolve))
  server.child.kill('SIGTERM')
  while (server.child.exitCode === null && server.child.signalCode === null) {
    // A signal again and again, as someone sends it who waits for the end.
    await delay(100)
    server.child.kill('SIGTERM')
  }
  expect(await server.ended).toMatchObject({ code: 1 })
  socket.destroy()
})

test.concurrent('every address of the computer can be listened on', async () => {
  const folder = fileFolder()
  const all = await serveCli(folder, '--host', '0.0.0.0', '--trust-proxy', 'loopback,10.0.0.0/8')
  const { port } = new URL(all.address)
  expect(all.address).toBe(`http://0.0.0.0:${port}`)
  expect((await request(`http://127.0.0.1:${port}/healthz`, 'GET')).status).toBe(200)
  await all.stop()
  const nowhere = await cli(folder, 'serve', '--port', '0', '--host', '192.0.2.1')
  expectRefused(nowhere, 1, '192.0.2.1 is not an address of this computer')
})

test.concurrent('settings come from the options, and the log level from the environment', async () => {
  const folder = fileFolder()
  prepareDatabase(folder, { lockHeld: false })
  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  const server = startCli(
    [
      ...['serve', '--data', folder, '--port', '0', '--device-limit', '1', '--key-limit', '2'],
      ...['--trust-proxy', '10.0.0.0/8', '--trust-proxy', 'loopback', '--keep-check-ins', '7'],
    ],
    { TIDEGATE_LOG_LEVEL: 'silent', ...(await databaseVariables(folder)) },
  )
  const address = await eventualValue(() => /http:\S+/.exec(server.output.stdout)?.[0])
  const feed = async (caller: string) => {
    const headers = { 'X-Forwarded-For': caller }
    return (await request(`${address}/feed/editor/stable`, 'GET', { headers })).status
  }
  expect([await feed('192.0.2.1'), await feed('192.0.2.1')]).toEqual([404, 429])
  expect(await feed('192.0.2.2')).toBe(404)
  const list = async () => (await request(address + RELEASES, 'GET', { key })).status
  expect([await list(), await list(), await list()]).toEqual([200, 200, 429])
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

test.concurrent('with a certificate the server speaks HTTPS', async () => {
  const folder = fileFolder()
  const { certFile: cert, keyFile: key } = await makePair(folder, 'server', 1, '127.0.0.1')
  const server = await serveCli(folder, '--tls-cert', cert, '--tls-key', key)
  expect(server.address).toMatch(/^https:/)
  const status = await new Promise((resolve, reject) => {
    const ca = readFileSync(cert)
    const asked = secureRequest(`${server.address}/healthz`, { ca, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject).end()
  })
  expect(status).toBe(200)
  expect(await server.stop()).toMatchObject({ code: 0 })

  const serve = ['serve', '--port', '0', '--tls-key', key, '--tls-cert']
  const absent = await cli(folder, ...serve, join(folder, 'none.pem'))
  expectRefused(absent, 1, 'none.pem cannot be read')
  const useless = await cli(folder, ...serve, key)
  expectRefused(useless, 1, 'cannot be used for TLS')
})

/** Of the file of SQLite. */
test
  .skipIf(isOnPostgres)
  .concurrent('a database of a newer version is rejected and left unchanged', async () => {
    const folder = fileFolder()
    prepareDatabase(folder, { lockHeld: false })
    const database = openDatabase(dataFile(folder))
    database.pragma('user_version = 999')
    database.close()
    const before = readFileSync(dataFile(folder))
    const ended = await cli(folder, 'serve', '--port', '0')
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(refusal(ended)).toContain('written by a newer version')
    expect(readFileSync(dataFile(folder)).equals(before)).toBe(true)
  })

/** PostgreSQL is backed up with its own tools. */
test.skipIf(isOnPostgres).concurrent('backups follow the options', async () => {
  const folder = fileFolder()
  const refused = await cli(folder, 'serve', '--backup-keep', '0')
  expect(refused.code).not.toBe(0)
  expect(refusal(refused)).toContain('must be 1 to 1000')
  const target = join(fileFolder(), 'copies')
  const plan = ['--backup-every', '6', '--backup-keep', '2', '--backup-folder', target]
  const server = await serveCli(folder, ...plan)
  expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 })
})

test.concurrent('SIGHUP reads the certificate again and stops nothing', async () => {
  const folder = fileFolder()
  const [one, two] = [await makePair(folder, 'one'), await makePair(folder, 'two')]
  const server = await serveCli(folder, '--tls-cert', one.certFile, '--tls-key', one.keyFile)
  expect(await shownName(server.address)).toBe('one.test')
  replace(one.certFile, two.certFile)
  replace(one.keyFile, two.keyFile)
  server.child.kill('SIGHUP')
  await eventualValue(async () => (await shownName(server.address)) === 'two.test' || undefined)
  expect(await server.stop()).toMatchObject({ code: 0 })

  const plain = await serveCli(fileFolder())
  plain.child.kill('SIGHUP')
  expect((await request(`${plain.address}/healthz`, 'GET')).status).toBe(200)
  expect(await plain.stop()).toMatchObject({ code: 0 })
})

/** Serves with a module that writes what `expression` is to stderr when the process ends, and returns that. */
async function atTheEnd(expression: string): Promise<string> {
  const module = `import v8 from 'node:v8';import{isMainThread}from'node:worker_threads';
    if(isMainThread)process.on('exit',()=>process.stderr.write(${expression}))`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(module)}`
  const server = await serveWith({ NODE_OPTIONS }, fileFolder())
  await request(`${server.address}/healthz`, 'GET')
  const { stderr } = await server.stop('SIGTERM')
  return stderr
}

test.concurrent('a start does not load what Node has for fetch, 13 MB', async () => {
  const modules = await atTheEnd('process.moduleLoadList.join("\\n")')
  expect(modules).toContain('NativeModule http\n')
  expect(modules).not.toContain('NativeModule internal/deps/undici/undici')
})

test.concurrent('a start does not leave a young space of 16 MB', async () => {
  const written = await atTheEnd('"\\n" + JSON.stringify(v8.getHeapSpaceStatistics())')
  const spaces = JSON.parse(written.split('\n').at(-1) ?? '')
  const young = spaces.find(({ space_name: name }: { space_name: string }) => name === 'new_space')
  expect(young.space_size).toBeLessThanOrEqual(4 * 1_024 ** 2)
})
