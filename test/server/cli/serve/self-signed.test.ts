import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { keepSelfSigned } from '../../../../src/server/cli/serve/self-signed.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { networkAddress } from '../../../support/builders/network.ts'
import { eventualValue } from '../../../support/eventually.ts'
import { cli, done, expectRefused, serveCli } from '../../../support/processes/cli.ts'
import { call, openLive, PASSWORD, pageHeaders, send } from '../../../support/servers/browser.ts'

const DAY = 86_400_000
const FINGERPRINT = /Certificate fingerprint \(SHA-256\): (\S+)\n/
const FILE = 'server.self-signed.pem'
const certificateIn = (folder: string) => new X509Certificate(readFileSync(join(folder, FILE)))

/** The cookie field of the first account's session, set by a link of the command line. */
async function signUpBy(folder: string, origin: string): Promise<string> {
  const link = await done(folder, 'person', 'setup-link')
  const [, token = ''] = /#\/link\/([\w-]+)/.exec(link) ?? []
  const accepted = { token, name: 'Ada', password: PASSWORD }
  // The server notices the link of another process a moment later.
  return await eventualValue(async () => {
    const { headers } = await call(origin, 'account/acceptLink', accepted)
    return headers['set-cookie']?.[0]
  })
}

test('the certificate is kept, private, and names this computer', async () => {
  const folder = fileFolder()
  const first = await keepSelfSigned(folder, ['updates.studio.example'])
  const made = certificateIn(folder)
  expect(first).toEqual({ file: join(folder, FILE), fingerprint: made.fingerprint256 })
  for (const name of ['localhost', hostname().toLowerCase(), 'updates.studio.example']) {
    expect([name, made.checkHost(name)]).toEqual([name, name])
  }
  for (const address of ['127.0.0.1', '::1', networkAddress()]) {
    expect(made.checkIP(address)).toBe(address)
  }
  expect(made.checkHost('evil.example')).toBeUndefined()
  expect(made.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
  expect(made.checkPrivateKey(createPrivateKey(readFileSync(join(folder, FILE))))).toBe(true)
  expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600)
  expect(await keepSelfSigned(folder, ['updates.studio.example'])).toEqual(first)
})

test('it is renewed a month before it ends, for a new name, and when it is damaged', async () => {
  const folder = fileFolder()
  const seen = new Set<string>()
  const keep = async (names: readonly string[], now: number) => {
    seen.add((await keepSelfSigned(folder, names, now)).fingerprint)
    return seen.size
  }
  const now = Date.now()
  expect(await keep([], now)).toBe(1)
  expect(await keep([], now + 785 * DAY)).toBe(1)
  expect(await keep([], now + 791 * DAY)).toBe(2)
  expect(await keep(['updates.studio.example'], now + 791 * DAY)).toBe(3)
  writeFileSync(join(folder, FILE), 'damaged')
  expect(await keep([], now)).toBe(4)
})

test('serve shows the fingerprint, and the network gets the console over TLS', async () => {
  const folder = fileFolder()
  const host = networkAddress()
  const options = ['--host', host, '--console', 'lan', '--tls-self-signed']
  const server = await serveCli(folder, ...options)
  const origin = server.address
  expect(origin).toMatch(/^https:/)
  const { fingerprint256 } = certificateIn(folder)
  const shown = () => FINGERPRINT.exec(server.output.stdout)?.[1]
  expect(await eventualValue(shown)).toBe(fingerprint256)

  const set = await signUpBy(folder, origin)
  expect(set).toMatch(
    /^__Host-tidegate-session=[\w-]{43}; .*Path=\/;.*HttpOnly; Secure; SameSite=Strict/,
  )
  expect(set).not.toMatch(/domain/i)
  const headers = pageHeaders(origin, set.split(';')[0])
  expect((await call(origin, 'api/apps.list', undefined, headers)).status).toBe(200)
  const page = await send(origin, '/console/')
  expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
  const live = await openLive(origin, headers)
  expect(live).toBeInstanceOf(WebSocket)
  if (live instanceof WebSocket) live.terminate()

  expect((await server.stop()).stderr).not.toMatch(/warning: (the console|--console)/i)
  const again = await serveCli(folder, ...options)
  expect(await eventualValue(() => FINGERPRINT.exec(again.output.stdout)?.[1])).toBe(fingerprint256)
})

test('without TLS the network gets no console, and the terminal says why', async () => {
  const folder = fileFolder()
  const server = await serveCli(folder, '--host', networkAddress(), '--console', 'lan')
  const refused = await call(server.address, 'account/state', undefined)
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('over TLS only')])
  expect((await send(server.address, '/console/')).status).toBe(403)
  expect((await send(server.address, '/healthz')).status).toBe(200)
  const stopped = await server.stop()
  expect(stopped.stderr).toContain('warning: --console lan offers the console')
  expect(stopped.stdout).not.toContain('Console:')
})

test('plain HTTP in the network has to be asked for, and is warned of loudly', async () => {
  const folder = fileFolder()
  const lan = ['--host', networkAddress(), '--console', 'lan', '--console-plain-http']
  const server = await serveCli(folder, ...lan)
  const set = await signUpBy(folder, server.address)
  expect(set).toMatch(/^tidegate-session=/)
  const page = await send(server.address, '/console/')
  expect(page.headers['strict-transport-security']).toBeUndefined()
  expect((await server.stop()).stderr).toContain('WITHOUT ENCRYPTION')
})

test('a self-signed certificate and one of your own exclude each other', async () => {
  const both = ['--tls-self-signed', '--tls-cert', 'a.pem', '--tls-key', 'a.key']
  const refused = await cli(fileFolder(), 'serve', ...both)
  expectRefused(refused, 2, 'cannot be used together')
})
