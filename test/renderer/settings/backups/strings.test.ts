import { expect, test } from 'vitest'
import {
  restoreProblemText,
  scheduleText,
  text,
} from '../../../../src/renderer/settings/backups/strings.ts'

test('a restore names who holds the data folder', () => {
  expect(restoreProblemText({ code: 'locked', file: '/copies/a.db', detail: null })).toBe(
    'The data folder is in use by another program. Stop that program and try again.',
  )
  expect(restoreProblemText({ code: 'corrupt', file: '/copies/a.db', detail: null })).toContain(
    '/copies/a.db',
  )
})

test('the schedule and what is kept are said in one line', () => {
  const status = { folder: '/b', running: false, lastSuccessAt: null, lastFailure: null }
  const of = (everyHours: number, keep: number) =>
    scheduleText({
      ...status,
      folderProblem: null,
      files: null,
      copies: [],
      available: true,
      everyHours,
      keep,
    })
  expect(of(0, 7)).toBe('No schedule. The latest 7 are kept.')
  expect(of(1, 1)).toBe('Scheduled every hour. Only the latest is kept.')
  expect(of(24, 2)).toBe('Scheduled every 24 hours. The latest 2 are kept.')
})

test('what is kept is counted by kind', () => {
  const none = { rolledBack: 0, servingKept: 0, keysRevoked: 0 }
  expect(text.kept(none)).toMatch(/^No rollback, serving change or key revocation/)
  expect(text.kept({ rolledBack: 1, servingKept: 2, keysRevoked: 0 })).toBe(
    'Kept from after the backup: 1 rollback and 2 serving changes.',
  )
})
