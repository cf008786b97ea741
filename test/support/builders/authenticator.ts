import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion, PasskeyRegistration } from '../../../src/shared/access/person.ts'

const [USER_PRESENT, USER_VERIFIED, HAS_KEY] = [0x01, 0x04, 0x40]

/** What a page tells an authenticator, and what the test breaks of it. */
export interface Ceremony {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  readonly isVerified?: boolean
}

/** An authenticator in software with one passkey (WebAuthn Level 3, sections 6.1 and 6.5). */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  counter = 0

  /** Makes the passkey. */
  register(ceremony: Ceremony): PasskeyRegistration {
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const key = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey()])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(this.#data(ceremony, HAS_KEY, key))],
    ])
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Uses the passkey, which counts its uses. */
  assert(ceremony: Ceremony): PasskeyAssertion {
    this.counter += 1
    const client = clientData('webauthn.get', ceremony)
    const data = this.#data(ceremony, 0)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      },
    }
  }

  #data({ rpId, isVerified = true }: Ceremony, flags: number, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    const host = createHash('sha256').update(rpId).digest()
    return Buffer.concat([host, Buffer.from([all]), counter, more])
  }

  /** As COSE has it (RFC 9053, section 7.1.1): EC2, ES256, P-256, x and y. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return encode(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    )
  }
}

function encode(value: Parameters<typeof isoCBOR.encode>[0] | Map<number | string, unknown>) {
  return Buffer.from(Reflect.apply(isoCBOR.encode, isoCBOR, [value]))
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
