import { expect, test } from 'vitest'
import { StartError } from '../../src/main/settings/start-error.ts'
import { startErrorText, stateWords, troubleWords } from '../../src/main/strings.ts'
import type { ServerTrouble } from '../../src/shared/console/desktop/server-process.ts'
import type { ServerState } from '../../src/shared/console/desktop/shell.ts'

const problem = { code: 'full', file: '/disk', detail: null } as const

test.each<[ServerTrouble, string, string]>([
  [
    { code: 'database_file' },
    'Changes cannot be saved',
    'The database file was moved, deleted or replaced. Put it back, or stop the server and restore a backup.',
  ],
  [
    { code: 'telemetry', problem },
    'Check-ins cannot be saved',
    'There is no space left for /disk. Free some space and try again.',
  ],
  [
    { code: 'log', failure: { code: 'unwritable', detail: 'ENOSPC' } },
    'The log cannot be written',
    'ENOSPC. Check the disk that holds the log file.',
  ],
  [
    { code: 'log', failure: { code: 'too_many_lines' } },
    'The log cannot be written',
    'Lines arrive faster than they can be written. Check the disk that holds the log file.',
  ],
  [
    { code: 'backup', problem },
    'The backup failed',
    'There is no space left for /disk. Free some space, or choose a folder on another disk.',
  ],
  [
    {
      ...{ code: 'plan_stopped', app: 'editor', channel: 'stable', version: '1.4.0' },
      action: 'rollback',
    },
    '1.4.0 on editor/stable stopped',
    'The release failed on too many devices. It was rolled back.',
  ],
])('%j', (trouble, title, text) => {
  expect(troubleWords(trouble)).toEqual({ title, text })
})

const restarting = { exitCode: 1, wasReady: true, nextTryAt: 0 } as const

test.each<[ServerState, string]>([
  [{ state: 'starting' }, 'Server is starting'],
  [{ state: 'starting', upgrading: true }, 'Server is upgrading its database'],
  [{ state: 'running', address: 'http://127.0.0.1:1' }, 'Server is running at http://127.0.0.1:1'],
  [{ state: 'restarting', ...restarting }, 'Server stopped and is restarting'],
  [{ state: 'failed', failure: { code: 'ended', exitCode: 1 } }, 'Server could not start'],
  [{ state: 'stopped' }, 'Server is stopped'],
])('%j', (state, words) => {
  expect(stateWords(state)).toBe(words)
})

test.each<[unknown, string]>([
  [
    new StartError('settings_unreadable', '/a/settings.json', new Error('EISDIR')),
    'The settings file /a/settings.json cannot be read: EISDIR. Fix its permissions or move it elsewhere, then start Tidegate again.',
  ],
  [
    new StartError('folder_unusable', '/a', new Error('EROFS')),
    'The folder /a cannot be used: EROFS. Set TIDEGATE_USER_DATA to a folder that you can write to.',
  ],
  [new Error('any other'), 'any other'],
])('%s', (error, text) => {
  expect(startErrorText(error)).toBe(text)
})
