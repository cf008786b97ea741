import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signatureFault, signedVersionOf } from '../../../src/shared/artifacts/tauri-signature.ts'
import { codePoint } from '../../support/builders/code-point.ts'
import { asTauri, minisignPair } from '../../support/builders/minisign.ts'

const BYTES = Buffer.from('a file')
const pair = minisignPair()
const signed = (comment: string) => asTauri(pair.sign(BYTES, { comment }))

describe('the form of a signature', () => {
  test('is not right for base64 of anything but what minisign writes, nor with white space in it', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(
        bytes,
        fc.constantFrom('\n', '\r\n', ' ', '\t'),
        fc.nat(),
        (content, space, at) => {
          const encoded = Buffer.from(content).toString('base64')
          expect(signatureFault(encoded)).toBe('not_minisign')
          const place = at % (encoded.length + 1)
          const wrapped = encoded.slice(0, place) + space + encoded.slice(place)
          expect(signatureFault(wrapped)).toBe('wrapped')
        },
      ),
    )
  })

  test.each([
    ['untrusted comment: signature\nRUQ=\n', 'not_encoded'],
    ['https://example.com/editor.deb.sig', 'not_base64'],
    ['c2ln=', 'not_base64'],
    // Bits after the last byte that mean nothing: Rust's decoder refuses them.
    ['c2k=', 'not_minisign'],
    [signed('timestamp:1700000000'), undefined],
    [asTauri(pair.sign(BYTES, { legacy: true })), undefined],
    // The public key in its place, and a signature that ends before its trusted comment.
    [pair.tauriKey, 'not_minisign'],
    [asTauri(pair.sign(BYTES).split('\n').slice(0, 2).join('\n')), 'not_minisign'],
    ['c2l=', 'not_base64'],
    ['', 'not_base64'],
  ])('%j: %s', (signature, fault) => {
    expect(signatureFault(signature)).toBe(fault)
  })
})

describe('the version that a signature is for', () => {
  test('is that of a field of its own in the trusted comment', () => {
    const [time, file] = ['timestamp:1700000000', 'file:app_1.2.3.msi']
    expect(signedVersionOf(signed(`${time}\t${file}\tversion:1.2.3`))).toBe('1.2.3')
    expect(signedVersionOf(signed(`version:v1.2.3-rc.1+7\t${time}`))).toBe('1.2.3-rc.1+7')
    expect(signedVersionOf(signed(`${time}\t${file}`))).toBeUndefined()
    expect(signedVersionOf(signed(`${time}\tfile:app-version:2.zip`))).toBeUndefined()
  })

  test('is unknown for what is no signature of Tauri', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(signedVersionOf(text)).toBeUndefined()
      }),
    )
    expect(signedVersionOf(pair.sign(BYTES, { comment: 'version:1.2.3' }))).toBeUndefined()
  })
})
