import { expect, test } from 'vitest'
import { hasStatusToken } from '../../../../src/server/http/status/status-token.ts'
import { STATUS_TOKEN_HEADER } from '../../../../src/shared/readiness.ts'

test.each([
  ['right', true],
  ['rigth', false],
  ['right-and-more', false],
  ['', false],
])('the token "%s" is accepted: %s', (given, expected) => {
  const headers = { [STATUS_TOKEN_HEADER]: given }
  expect(hasStatusToken({ headers }, { statusToken: 'right' })).toBe(expected)
})

test('no token, and two of them, are none', () => {
  expect(hasStatusToken({ headers: {} }, { statusToken: 'undefined' })).toBe(false)
  const headers = { [STATUS_TOKEN_HEADER]: ['right', 'right'] }
  expect(hasStatusToken({ headers }, { statusToken: 'right' })).toBe(false)
})
