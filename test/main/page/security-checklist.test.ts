import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ITEMS = 20
const rows = readFileSync('src/main/README.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

test('the checklist has every item of Electron’s list, in its order', () => {
  expect(rows.map(([number]) => Number(number))).toEqual(
    Array.from({ length: ITEMS }, (_, n) => n + 1),
  )
})

describe.each(rows)('item %s, %s', (_number, _item, _how, where = '', shownBy = '') => {
  test('is met where it says', () => {
    let code = ''
    const names = [...where.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) {
      if (/\.(ts|json|yml)$/.test(name)) code = readFileSync(name, 'utf8')
      else expect(code, name).toContain(name)
    }
  })

  test('is shown by tests that exist', () => {
    const tests = shownBy.split('<br>').map((it) => /^`([^`]+)`: (.+)$/.exec(it) ?? [])
    for (const [, file = '', title = ''] of tests) {
      expect(readFileSync(join('test', file), 'utf8')).toContain(title)
    }
    expect(tests.length).toBeGreaterThan(0)
  })
})
