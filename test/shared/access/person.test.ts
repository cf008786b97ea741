import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldName, SignInName } from '../../../src/shared/access/person.ts'
import { codePoint } from '../../support/builders/code-point.ts'

const name = fc.string({ unit: codePoint, maxLength: 20 })

test('a folded name stays the same when it is folded again', () => {
  fc.assert(
    fc.property(name, (text) => {
      expect(foldName(foldName(text))).toBe(foldName(text))
    }),
    { numRuns: 5_000 },
  )
})

test('names that differ in case, composition or spaces around them are the same', () => {
  fc.assert(
    fc.property(name, (text) => {
      const key = foldName(text)
      expect(foldName(` ${text}\t`)).toBe(key)
      expect(foldName(text.normalize('NFD'))).toBe(key)
      expect(foldName(text.normalize('NFKC').toUpperCase())).toBe(key)
      expect(foldName(text.normalize('NFKC').toLowerCase())).toBe(key)
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['STRASSE', 'straße'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁona', 'FIONA'],
  ['Ｍｉａ', 'mia'],
])('%j is the name %j', (one, other) => {
  expect(foldName(one)).toBe(foldName(other))
})

test.each(['', ' ', 'a\nb', 'a\u0000', 'mia\u200b', '\u202emia', 'x'.repeat(65), '\ud800'])(
  '%j is no sign-in name',
  (text) => {
    expect(SignInName.safeParse(text).success).toBe(false)
  },
)

test('a sign-in name has up to 64 characters, of any script', () => {
  expect(SignInName.parse(' mia ')).toBe('mia')
  expect(SignInName.parse('Mia Öztürk')).toBe('Mia Öztürk')
  expect(SignInName.parse('👩'.repeat(64))).toBe('👩'.repeat(64))
})
