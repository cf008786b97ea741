import { expect, it } from 'vitest'
import { verdictInWords } from '../../../../src/renderer/releases/publish/strings.ts'
import type { VersionVerdict } from '../../../../src/shared/releases/version-verdict.ts'

it('says what its version would meet', () => {
  const place = 'editor/stable'
  const words = (verdict: VersionVerdict) => verdictInWords(verdict, place)
  expect(words({ state: 'free', highest: null })).toBe('Version available')
  expect(words({ state: 'free', highest: '1.0.0' })).toBe(
    'Version available. Latest version: 1.0.0',
  )
  expect(words({ state: 'invalid', reason: 'must be a version' })).toBe(
    'The version must be a version',
  )
  expect(words({ state: 'duplicate', version: '1.0.0', status: 'rolled_back' })).toBe(
    '1.0.0 already exists on editor/stable (rolled back)',
  )
  const lower = { state: 'lower', version: '1.0.0', highest: '2.0.0', asText: null } as const
  expect(words({ ...lower, downgrades: false })).toMatch(
    /^1\.0\.0 is lower than 2\.0\.0, the latest version on this channel\..*not be offered it/,
  )
  expect(words({ ...lower, downgrades: true })).toMatch(
    /^1\.0\.0 is lower than 2\.0\.0, which was rolled back\..*will be offered it as a downgrade/,
  )
})
