import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  MinisignVerifier,
  publicKeyOf,
  startBlake2b,
} from '../../../../src/server/outbound/proving/minisign.ts'
import { MinisignKey } from '../../../../src/shared/files/proving.ts'
import { asTauri, minisignPair } from '../../../support/builders/minisign.ts'

/**
 * Verifies a file in pieces of an odd size against the base64 of what minisign writes, and returns the code of what is
 * wrong; null if nothing is.
 */
function check(bytes: Buffer, signature: string, key: string): string | null {
  const verifier = MinisignVerifier.begin(asTauri(signature), publicKeyOf(MinisignKey.parse(key)))
  if (!(verifier instanceof MinisignVerifier)) return verifier.code
  for (let at = 0; at < bytes.length; at += 777) verifier.update(bytes.subarray(at, at + 777))
  return verifier.end()?.code ?? null
}

// The key and the signatures of the word `test` in the tests of rust-minisign-verify, which the Tauri updater uses.
const KNOWN_KEY = 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3'
const KNOWN = {
  prehashed: [
    'untrusted comment: signature from minisign secret key',
    'RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=',
    'trusted comment: timestamp:1556193335\tfile:test',
    'y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==',
  ].join('\n'),
  legacy: [
    'untrusted comment: signature from minisign secret key',
    'RWQf6LRCGA9i59SLOFxz6NxvASXDJeRtuZykwQepbDEGt87ig1BNpWaVWuNrm73YiIiJbq71Wi+dP9eKL8OC351vwIasSSbXxwA=',
    'trusted comment: timestamp:1555779966\tfile:test',
    'QtKMXWyYcwdpZAlPF7tE2ENJkRd1ujvKjlj1m9RtHTBnZPa5WKU5uWRs5GoP5M/VqE81QFuMKI5k/SfNQUaOAA==',
  ].join('\n'),
}

test.each(Object.entries(KNOWN))('a known %s signature is valid', (_, signature) => {
  expect(check(Buffer.from('test'), signature, KNOWN_KEY)).toBeNull()
  expect(check(Buffer.from('Test'), signature, KNOWN_KEY)).toBe('signature_wrong')
})

test.each([{ legacy: false }, { legacy: true }])(
  'a signature of minisign, legacy: $legacy',
  ({ legacy }) => {
    const pair = minisignPair()
    const bytes = randomBytes(200_000)
    const signature = pair.sign(bytes, { legacy })
    const [, line = '', comment = '', global = ''] = signature.split('\n')
    expect(check(bytes, signature, pair.publicKey)).toBeNull()
    expect(check(bytes, signature, pair.tauriKey)).toBeNull()
    expect(check(bytes, signature.replaceAll('\n', '\r\n'), pair.publicKey)).toBeNull()
    const other = Buffer.from(bytes)
    other[100_000] = (other[100_000] ?? 0) ^ 1
    expect(check(other, signature, pair.publicKey)).toBe('signature_wrong')
    const recommented = signature.replace(comment, `${comment}x`)
    expect(check(bytes, recommented, pair.publicKey)).toBe('trusted_comment_wrong')
    const otherKey = minisignPair()
    expect(check(bytes, signature, otherKey.publicKey)).toBe('signature_other_key')
    // The ID says nothing by itself.
    const sameId = minisignPair(Buffer.from(pair.publicKey, 'base64').subarray(2, 10))
    expect(check(bytes, signature, sameId.publicKey)).toBe('signature_wrong')
    for (const damaged of [
      signature.replace(line, line.slice(0, -8)),
      signature.replace(comment, 'a comment'),
      signature.replace(global, ''),
      signature.replace(
        line,
        Buffer.concat([Buffer.from('XX'), Buffer.alloc(72)]).toString('base64'),
      ),
      'dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZQ==',
      'sig',
    ]) {
      expect(check(bytes, damaged, pair.publicKey), damaged).toBe('signature_malformed')
    }
  },
)

test('only what Tauri decodes is a signature', () => {
  const pair = minisignPair()
  const bytes = Buffer.from('a file')
  const text = pair.sign(bytes)
  const encoded = asTauri(text)
  const begin = (signature: string) => {
    const verifier = MinisignVerifier.begin(signature, publicKeyOf(pair.publicKey))
    return verifier instanceof MinisignVerifier ? null : verifier.code
  }
  expect(begin(encoded)).toBeNull()
  expect(begin(`${encoded}\r\n`)).toBe('signature_wrapped')
  expect(begin(encoded.replaceAll(/.{76}/g, '$&\n'))).toBe('signature_wrapped')
  expect(begin(text)).toBe('signature_not_encoded')
  expect(begin(encoded.slice(0, -1))).toBe('signature_malformed')
  expect(begin('https://example.com/editor.deb.sig')).toBe('signature_malformed')
})

test('a legacy signature whose number is not reduced is refused', () => {
  const pair = minisignPair()
  const bytes = Buffer.from('malleable')
  const [first, line = '', ...rest] = pair.sign(bytes, { legacy: true }).split('\n')
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const raw = Buffer.from(line, 'base64')
  const half = Buffer.from(raw.subarray(42)).reverse()
  const raised = (BigInt(`0x${half.toString('hex')}`) + order).toString(16).padStart(64, '0')
  Buffer.from(raised, 'hex').reverse().copy(raw, 42)
  const signature = [first, raw.toString('base64'), ...rest].join('\n')
  expect(check(bytes, signature, pair.publicKey)).toBe('signature_wrong')
})

test('a key is taken in each form that it is written in, and kept in one', () => {
  const { publicKey, tauriKey } = minisignPair()
  const file = `untrusted comment: minisign public key ABC\r\n${publicKey}\r\n`
  for (const form of [publicKey, ` ${publicKey}\n`, tauriKey, file]) {
    expect(MinisignKey.parse(form)).toBe(publicKey)
  }
  for (const none of ['', 'RWQ', publicKey.slice(1), `${publicKey}A`, asTauri('nothing')]) {
    expect(MinisignKey.safeParse(none).success, none).toBe(false)
  }
})

test('without BLAKE2b in the cryptography of Node, the hash is the same', () => {
  const bytes = randomBytes(100_000)
  const hash = startBlake2b(false)
  for (let at = 0; at < bytes.length; at += 777) hash.update(bytes.subarray(at, at + 777))
  const expected = createHash('blake2b512').update(bytes).digest('hex')
  expect(Buffer.from(hash.digest()).toString('hex')).toBe(expected)
})
