import { expect, test } from 'vitest'
import { startFailure } from '../../../src/server/server-process/start-failure.ts'
import { StorageError } from '../../../src/server/storage/sqlite/errors.ts'

const tls = { certFile: '/cert.pem', keyFile: '/key.pem' }
const config = { dataFolder: '/no/such/folder', host: '192.0.2.7', port: 80, tls }
const system = (code: string) => Object.assign(new Error(`${code}: failed`), { code })

test.each([
  [
    'a port that is taken',
    system('EADDRINUSE'),
    'port_in_use',
    /^Port 80 of 192\.0\.2\.7 is in use/,
  ],
  ['a port for the system alone', system('EACCES'), 'address', /above 1023/],
  ['an address elsewhere', system('EADDRNOTAVAIL'), 'address', /^192\.0\.2\.7 is not an address/],
  ['a name that nobody knows', system('ENOTFOUND'), 'address', /^192\.0\.2\.7 is not an address/],
  ['a folder in use', new StorageError('locked', 'x --data'), 'folder_in_use', /^The data folder/],
  [
    'another file',
    new StorageError('not_a_database', 'x --data'),
    'other',
    /^The file tidegate\.db/,
  ],
  [
    'a newer database',
    new StorageError('newer_database', 'Update.'),
    'newer_database',
    /^Update\.$/,
  ],
  [
    'a certificate that is gone',
    Object.assign(system('ENOENT'), { path: '/cert.pem' }),
    'tls',
    /^The certificate cannot be used/,
  ],
  ['a key of another', system('ERR_OSSL_X509_KEY_VALUES_MISMATCH'), 'tls', /serve without TLS/],
  ['a full disk', new StorageError('full', 'Free some space.'), 'other', /^Free some space\.$/],
  ['anything else', new Error('odd'), 'other', /odd/],
])('%s is put into words', (_, error, reason, message) => {
  const failure = startFailure(error, config)
  expect(failure).toEqual({ reason, message: expect.stringMatching(message) })
  // Nothing of the command line, which the person at the console does not see.
  expect(failure.message).not.toContain('--')
})
