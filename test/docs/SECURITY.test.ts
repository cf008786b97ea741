import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../support/docs/page.ts'

const root = resolve(import.meta.dirname, '../..')

test('every threat names tests, and they exist', () => {
  const [, section = ''] = readPage('SECURITY.md').split(
    '\n## Threats to the console and the command line\n',
  )
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows.slice(1)) {
    const cell = row.split(' | ').at(-1) ?? ''
    const folder = /in `([^`]+\/)`/.exec(cell)?.[1]
    const names = [...cell.matchAll(/`([^`]+\.(?:test|spec)\.ts)`/g)].map(([, name = '']) => name)
    expect([row, names.length]).not.toEqual([row, 0])
    let last = folder ?? ''
    for (const name of names) {
      // A name without a folder is in that of the one before.
      const file = name.includes('/') ? name : join(last, name)
      expect([file, existsSync(join(root, file))]).toEqual([file, true])
      last = name.includes('/') ? dirname(name) : last
    }
  }
})
