import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authorizationsIn, secretIn } from '../../../../src/server/cli/settings/secret-file.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

const SERVERS = ['https://sentry.io', 'http://10.0.0.5:9090']

function read(text: string): Record<string, string> {
  const file = join(temporaryFolder(), 'tokens')
  writeFileSync(file, text)
  return Object.fromEntries(authorizationsIn(file, '--gate-tokens-file', SERVERS))
}

test('each server gets the token after its address', () => {
  const text = '# Read only\n\nhttps://sentry.io/ Bearer a b\r\nhttp://10.0.0.5:9090\tBasic eA==\n'
  expect(read(text)).toEqual({
    'https://sentry.io': 'Bearer a b',
    'http://10.0.0.5:9090': 'Basic eA==',
  })
})

test.each([
  ['https://sentry.io', 1],
  ['# one\nBearer secret', 2],
  ['http://sentry.io Bearer secret', 1],
  ['https://sentry.io Bearer secret\nhttps://sentry.io Bearer other', 2],
  ['https://sentry.io Bearer secretä', 1],
])('a line that is no token of a listed server is refused without showing it: %j', (text, line) => {
  expect(() => read(text)).toThrow(`line ${line} of`)
  expect(() => read(text)).not.toThrow('secret')
})

test('a secret is read without what an editor of Windows adds', () => {
  const file = join(temporaryFolder(), 'secret')
  writeFileSync(file, '\uFEFFone secret \r\n')
  expect(secretIn(file, '--smtp-password-file')).toBe('one secret')
})
