import { expect, test } from 'vitest'
import { restoreProblemInWords } from '../../../../src/renderer/settings/backups/strings.ts'

test('a restore names who holds the data folder', () => {
  expect(restoreProblemInWords({ code: 'locked', file: '/copies/a.db', detail: null })).toBe(
    'Another program uses the data folder. Stop it, and try again.',
  )
  expect(restoreProblemInWords({ code: 'corrupt', file: '/copies/a.db', detail: null })).toContain(
    '/copies/a.db',
  )
})
