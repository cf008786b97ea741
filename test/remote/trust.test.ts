import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { LiveConnection, type LiveState } from '../../src/main/servers/live-connection.ts'
import { CertificateError, ConnectionError } from '../../src/remote/connection-error.ts'
import { HttpClient } from '../../src/remote/http-client.ts'
import { makePair } from '../support/builders/certificates.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { takePort } from '../support/processes/ports.ts'
import { listenLocally } from '../support/servers/listen.ts'

const COOKIE = '__Host-tidegate-session=secret'
/** What the console's page sends. */
const PAGE = { sender: { kind: 'page', cookie: COOKIE }, body: '{}' } as const
const STRANGER = { sender: { kind: 'page', cookie: undefined }, body: '{}' } as const

/** An HTTPS server with a certificate that signs itself. `sent`: bytes of each connection after its handshake, once it has closed. */
async function serveTls(answer: RequestListener = (_, response) => response.end('[]')) {
  const { certFile, keyFile } = await makePair(temporaryFolder(), 'studio')
  const cert = readFileSync(certFile)
  const server = createServer({ cert, key: readFileSync(keyFile) }, answer)
  const closed: Promise<unknown>[] = []
  const secured: TLSSocket[] = []
  server.on('connection', (socket: Socket) => closed.push(once(socket, 'close')))
  server.on('secureConnection', (socket: TLSSocket) => secured.push(socket))
  const sent = async () => {
    expect(closed).toHaveLength(1)
    await Promise.all(closed)
    return secured.reduce((bytes, { bytesRead }) => bytes + bytesRead, 0)
  }
  return { ...(await listen(server)), fingerprint: new X509Certificate(cert).fingerprint256, sent }
}

async function servePlain(answer: RequestListener) {
  return await listen(createHttp(answer))
}

async function listen(server: ReturnType<typeof createHttp>) {
  return { host: await listenLocally(server) }
}

function client(url: string, pin: string | null = null): HttpClient {
  const http = new HttpClient({ url, pin })
  onTestFinished(() => http.close())
  return http
}

const failureOf = (posted: Promise<unknown>) =>
  posted.then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  )

test('a certificate that signs itself is refused without a pin, and nothing is sent', async () => {
  const { host, fingerprint, sent } = await serveTls()
  const url = `https://${host}`
  const error = await failureOf(client(url).send(`${url}/console/api`, PAGE))
  expect(error).toBeInstanceOf(CertificateError)
  expect(error).toMatchObject({ pinned: null, presented: fingerprint })
  expect(await sent()).toBe(0)
})

test('the pinned certificate is accepted, whatever name it is for', async () => {
  const cookies: (string | undefined)[] = []
  const { host, fingerprint } = await serveTls(({ headers }, response) => {
    cookies.push(headers.cookie)
    response.end('[1]')
  })
  const url = `https://${host}`
  const http = client(url, fingerprint)
  expect(await http.send(url, PAGE)).toMatchObject({ status: 200, json: [1] })
  expect(cookies).toEqual([COOKIE])
})

test('another certificate than the pinned one is refused with both fingerprints, and nothing is sent', async () => {
  const { host, fingerprint, sent } = await serveTls()
  const pin = fingerprint.replaceAll(/[\dA-F]/g, 'A')
  const url = `https://${host}`
  const error = await failureOf(client(url, pin).send(url, PAGE))
  expect(error).toBeInstanceOf(CertificateError)
  expect(error).toMatchObject({ pinned: pin, presented: fingerprint })
  expect(await sent()).toBe(0)
})

test('the live connection refuses it as well, and does not try again', async () => {
  const { host, fingerprint, sent } = await serveTls()
  const pin = fingerprint.replaceAll(/[\dA-F]/g, 'A')
  const refused = Promise.withResolvers<LiveState>()
  const states: string[] = []
  const live = new LiveConnection({
    endpoint: { url: `https://${host}`, pin },
    cookie: COOKIE,
    onState(state) {
      states.push(state.state)
      if (state.state !== 'connecting') refused.resolve(state)
    },
  })
  onTestFinished(() => live.close())
  expect(await refused.promise).toMatchObject({
    state: 'certificate_refused',
    error: { pinned: pin, presented: fingerprint },
  })
  expect(await sent()).toBe(0)
  expect(states).toEqual(['connecting', 'certificate_refused'])
})

test('a redirect is not followed', async () => {
  const asked: string[] = []
  const { host } = await servePlain(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(307, { Location: '/elsewhere' }).end('{}')
  })
  const url = `http://${host}`
  expect(await client(url).send(`${url}/first`, PAGE)).toMatchObject({
    status: 307,
  })
  expect(asked).toEqual(['/first'])
})

test.each([
  ['<html>', 'not_tidegate'],
  [`"${'x'.repeat(33 * 1_024 * 1_024)}"`, 'answer_too_large'],
])('an answer that cannot be used is a failure', async (body, reason) => {
  const { host } = await servePlain((_, response) => response.end(body))
  const url = `http://${host}`
  const error = await failureOf(client(url).send(url, STRANGER))
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ failure: { reason } })
})

test('an address that nobody listens on, and one without TLS, are told apart', async () => {
  const { port, release } = await takePort()
  await release()
  const gone = `https://127.0.0.1:${port}`
  expect(await failureOf(client(gone).send(gone, STRANGER))).toMatchObject({
    failure: { reason: 'connection_refused' },
  })
  const { host } = await servePlain((_, response) => response.end('[]'))
  const plain = `https://${host}`
  expect(await failureOf(client(plain).send(plain, STRANGER))).toMatchObject({
    failure: { reason: 'not_tls' },
  })
  const nowhere = 'https://there-is-no.invalid'
  expect(await failureOf(client(nowhere).send(nowhere, STRANGER))).toMatchObject({
    failure: { reason: 'unknown_name' },
  })
})

test('a session is read from the answer that sets it, and from the one that takes it away', async () => {
  const expires = 'Wed, 21 Oct 2065 07:28:00 GMT'
  const { host } = await servePlain(({ url }, response) => {
    const value =
      url === '/in' ? `abc; Expires=${expires}` : '; Expires=Thu, 01 Jan 1970 00:00:00 GMT'
    response.setHeader('Set-Cookie', ['other=1', `tidegate-session=${value}; Path=/; HttpOnly`])
    response.end('[]')
  })
  const url = `http://${host}`
  const http = client(url)
  expect((await http.send(`${url}/in`, STRANGER)).cookies.session).toEqual({
    cookie: 'tidegate-session=abc',
    expiresAt: new Date(expires).toISOString(),
  })
  expect((await http.send(`${url}/out`, STRANGER)).cookies.session).toBeNull()
})
