import { expect, test } from 'vitest'
import { StartFailure } from '../../../../src/shared/operation/start-failure.ts'
import {
  startFailureSentence,
  unexpectedEnd,
} from '../../../../src/shared/wording/operation/start-failure.ts'

const SENTENCES: { readonly [Code in StartFailure['code']]: readonly [object, string] } = {
  port_in_use: [
    { host: '192.0.2.7', port: 8440 },
    'Port 8440 on 192.0.2.7 is already in use. Stop the other program, or choose another port in Settings.',
  ],
  port_forbidden: [
    { host: '192.0.2.7', port: 80 },
    'Permission denied to listen on port 80 on 192.0.2.7. Choose a port above 1023 in Settings.',
  ],
  unknown_address: [
    { host: '192.0.2.7' },
    '192.0.2.7 is not an address of this computer. Choose one in Settings: 127.0.0.1 for this computer only, 0.0.0.0 for all network interfaces.',
  ],
  tls: [
    { detail: 'ENOENT' },
    'The certificate cannot be used (ENOENT). Choose a certificate and its private key in Settings, or turn off TLS.',
  ],
  storage: [
    { problem: { code: 'full', file: '/data', detail: null } },
    'There is no space left for /data. Free some space and try again.',
  ],
  ended: [{ exitCode: 3 }, 'The server stopped before it was ready (exit code 3).'],
  other: [{ detail: 'odd' }, 'The server could not start: odd.'],
}

test.each(Object.entries(SENTENCES))('%s', (code, [facts, sentence]) => {
  expect(startFailureSentence(StartFailure.parse({ code, ...facts }))).toBe(sentence)
})

test('a process that ended by itself', () => {
  expect(unexpectedEnd({ exitCode: 1, wasReady: true })).toBe(
    'The server stopped unexpectedly (exit code 1). Restarting…',
  )
  expect(unexpectedEnd({ exitCode: 139, wasReady: false })).toBe(
    'The server stopped before it was ready (exit code 139). Restarting…',
  )
})
