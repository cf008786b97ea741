import { expect, test } from 'vitest'
import { startFailureTitle } from '../../../src/renderer/layout/strings.ts'
import type { StartFailure } from '../../../src/shared/operation/start-failure.ts'

const address = { host: '127.0.0.1', port: 8440 } as const
const storage = (code: 'locked' | 'newer_database' | 'corrupt') =>
  ({ code: 'storage', problem: { code, file: '/disk', detail: null } }) as const

test.each<[StartFailure, string]>([
  [{ code: 'port_in_use', ...address }, 'The server cannot start: its port is already in use'],
  [
    { code: 'port_forbidden', ...address },
    'The server cannot start: it cannot listen on its address',
  ],
  [
    { code: 'unknown_address', host: '10.0.0.1' },
    'The server cannot start: it cannot listen on its address',
  ],
  [{ code: 'tls', detail: 'x' }, 'The server cannot start: its certificate cannot be used'],
  [storage('locked'), 'The server cannot start: its data folder is in use'],
  [
    storage('newer_database'),
    'The server cannot start: the database is from a newer version of Tidegate',
  ],
  [storage('corrupt'), 'The server cannot start'],
  [{ code: 'ended', exitCode: 1 }, 'The server cannot start'],
  [{ code: 'other', detail: 'x' }, 'The server cannot start'],
])('%j', (failure, title) => {
  expect(startFailureTitle(failure)).toBe(title)
})
