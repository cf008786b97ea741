import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { checkTlsFiles } from '../../../src/main/settings/tls-files.ts'
import { makePair } from '../../support/builders/certificates.ts'

let folder: string
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-tls-'))
  for (const name of ['one', 'two']) await makePair(folder, name, 90, `${name}.test`)
  writeFileSync(at('nonsense.pem'), 'nothing of the kind')
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('/dev/zero', at('zero'))
  writeFileSync(at('large.pem'), Buffer.alloc(1_048_577))
  return () => rmSync(folder, { recursive: true })
})

test('a certificate and its key are described', async () => {
  const report = await checkTlsFiles({ certFile: at('one.pem'), keyFile: at('one.key') })
  expect(report).toMatchObject({ ok: true, names: ['one.test'], selfSigned: true })
  const days = report.ok ? (Date.parse(report.expiresAt) - Date.now()) / 86_400_000 : 0
  expect(Math.round(days)).toBe(90)
})

test.each([
  ['one.pem', 'two.key', 'keyFile', { code: 'other_key' }],
  ['one.pem', 'nonsense.pem', 'keyFile', { code: 'not_a_key' }],
  ['nonsense.pem', 'one.key', 'certFile', { code: 'not_a_certificate' }],
  ['one.key', 'one.key', 'certFile', { code: 'not_a_certificate' }],
  [
    'missing.pem',
    'one.key',
    'certFile',
    { code: 'unreadable', detail: expect.stringContaining('ENOENT') },
  ],
  ['one.pem', '.', 'keyFile', { code: 'not_a_file' }],
  // Nobody writes to it: a read would wait for good.
  ['one.pem', 'pipe', 'keyFile', { code: 'not_a_file' }],
  ['zero', 'one.key', 'certFile', { code: 'not_a_file' }],
  ['large.pem', 'one.key', 'certFile', { code: 'too_large', maxBytes: 1_048_576 }],
])('%s with %s: the %s %j', async (cert, key, field, issue) => {
  expect(await checkTlsFiles({ certFile: at(cert), keyFile: at(key) })).toEqual({
    ok: false,
    field,
    issue,
  })
})
