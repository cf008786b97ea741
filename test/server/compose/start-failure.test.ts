import { expect, test } from 'vitest'
import { startFailure } from '../../../src/server/compose/server-process/supervised-server.ts'
import { StorageError } from '../../../src/server/storage/interface/storage-error.ts'

const tls = { certFile: '/cert.pem', keyFile: '/key.pem' }
const config = { dataFolder: '/no/such/folder', host: '192.0.2.7', port: 80, tls }
const { host, port } = config
const system = (code: string, syscall = 'listen') =>
  Object.assign(new Error(`${code}: failed`), { code, syscall })
const locked = { code: 'locked', file: '/data' } as const

test.each([
  ['a port that is in use', system('EADDRINUSE'), { code: 'port_in_use', host, port }],
  ['a port for the system alone', system('EACCES'), { code: 'port_forbidden', host, port }],
  ['an address elsewhere', system('EADDRNOTAVAIL'), { code: 'unknown_address', host }],
  ['an unknown name', system('ENOTFOUND', 'getaddrinfo'), { code: 'unknown_address', host }],
  [
    'a folder in use',
    new StorageError(locked),
    { code: 'storage', problem: { ...locked, detail: null } },
  ],
  [
    'a certificate that is gone',
    Object.assign(system('ENOENT', 'open'), { path: '/cert.pem' }),
    { code: 'tls', detail: 'ENOENT: failed' },
  ],
  [
    'a key of another',
    system('ERR_OSSL_X509_KEY_VALUES_MISMATCH'),
    { code: 'tls', detail: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH: failed' },
  ],
  [
    'a file that this account must not open',
    system('EACCES', 'open'),
    { code: 'other', detail: 'EACCES: failed' },
  ],
  ['anything else', new Error('odd'), { code: 'other', detail: 'odd' }],
])('%s is a fact', (_, error, failure) => {
  expect(startFailure(error, config)).toEqual(failure)
})
