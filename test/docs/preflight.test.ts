import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PREFLIGHT_CODES } from '../../src/shared/releases/preflight-policy.ts'
import { readPage } from '../support/docs/page.ts'

const page = readPage('docs/preflight.md')

test('every code is in the table of findings, with its severity', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| `(fail|warn)` \|/gm)]
  expect(Object.fromEntries(rows.map(([, code, severity]) => [code, severity]))).toEqual(
    PREFLIGHT_CODES,
  )
})

test('every code has a broken example in the tests', () => {
  const tests = globSync('test/server/preflight/*.test.ts').map((file) =>
    readFileSync(file, 'utf8'),
  )
  const isShown = (code: string) => tests.some((text) => text.includes(code))
  expect(Object.keys(PREFLIGHT_CODES).filter((code) => !isShown(code))).toEqual([])
})
