import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import type { BrowserSubscription } from '../../../src/shared/events/notifications.ts'
import { makePair } from '../builders/certificates.ts'
import { eventually } from '../eventually.ts'

/** The keys of a browser, base64url. */
interface BrowserKeys {
  readonly privateKey: string
  readonly auth: string
}

/**
 * Returns the message in a body that was encrypted for a browser: RFC 8291, section 3.4, and RFC 8188 with one record. Written
 * from these documents, with nothing that the server uses to encrypt.
 */
export function decrypt(body: Buffer, { privateKey, auth }: BrowserKeys): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('more than one record')
  const browser = createECDH('prime256v1')
  browser.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  const derive = (key: Buffer, with_: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, with_, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
  const secret = browser.computeSecret(sender)
  const input = derive(secret, Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error('no delimiter')
  return padded.subarray(0, end).toString()
}

/** A push message that a push service was sent. */
export interface Pushed {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A browser that has subscribed at a push service. */
export interface SubscribedBrowser {
  readonly subscription: BrowserSubscription
  /** What it was sent, decrypted, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server sent
  messages(): any[]
}

/** A push service that speaks RFC 8030 over HTTPS, and keeps what it was sent. */
export interface PushService {
  /** `127.0.0.1:<port>`, to allow it. */
  readonly host: string
  readonly pushed: readonly Pushed[]
  subscribe(): SubscribedBrowser
  /** Answers with this status from now on. */
  answer(status: number): void
  /** Waits for that many messages. */
  until(count: number): Promise<readonly Pushed[]>
  stop(): Promise<void>
}

/** Starts a push service whose certificate this process trusts until it stops. */
export async function openPushService(): Promise<PushService> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-push-'))
  const { certFile, keyFile } = await makePair(folder, 'push', 1, '127.0.0.1')
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')]
  rmSync(folder, { recursive: true })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  const pushed: Pushed[] = []
  let status = 201
  const server = createServer({ cert, key }, async (request, response) => {
    pushed.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const host = `127.0.0.1:${address.port}`
  return {
    ...{ host, pushed },
    subscribe() {
      const path = `/send/${randomBytes(12).toString('base64url')}`
      const browser = createECDH('prime256v1')
      const p256dh = browser.generateKeys().toString('base64url')
      const privateKey = browser.getPrivateKey().toString('base64url')
      const auth = randomBytes(16).toString('base64url')
      return {
        subscription: { endpoint: `https://${host}${path}`, keys: { p256dh, auth } },
        messages: () =>
          pushed
            .filter((each) => each.path === path)
            .map(({ body }) => JSON.parse(decrypt(body, { privateKey, auth }))),
      }
    },
    answer: (next) => {
      status = next
    },
    until: (count) =>
      eventually(() => {
        if (pushed.length < count) throw new Error(`${pushed.length} of ${count} messages`)
        return pushed
      }),
    stop: async () => {
      setDefaultCACertificates(trusted)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The configuration of a server that may send to a push service of this computer. */
export function allowPush(host: string): Pick<ServerConfigInput, 'push'> {
  return { push: { hosts: [host] } }
}
