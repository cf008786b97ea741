import { expect, test } from 'vitest'
import { type Entry, findEntries } from '../../../../src/renderer/layout/palette/entry.ts'

const entry = (group: Entry['group'], label: string, detail = ''): Entry => ({
  id: `${group}-${label}`,
  group,
  label,
  detail,
  Icon: () => null,
  run() {},
})

const ENTRIES = [
  entry('screens', 'Overview'),
  entry('screens', 'API keys'),
  entry('commands', 'Create an API key'),
  entry('apps', 'Harbor Editor', 'editor'),
  entry('channels', 'editor/stable', 'Harbor Editor'),
  entry('channels', 'editor/beta', 'Harbor Editor'),
]
const found = (text: string) => findEntries(ENTRIES, text).map(({ label }) => label)

test('without a text there are screens and commands', () => {
  expect(found(' ')).toEqual(['Overview', 'API keys', 'Create an API key'])
})

test('every word has to be there, in any order and case', () => {
  expect(found('key api')).toEqual(['API keys', 'Create an API key'])
  expect(found('BETA harbor')).toEqual(['editor/beta'])
  expect(found('editor gamma')).toEqual([])
})

test('what begins with the text comes first, then what has a word that does', () => {
  const apps = ['My stable', 'Unstable', 'Stable']
  const listed = findEntries(
    apps.map((name) => entry('apps', name)),
    'stable',
  )
  expect(listed.map(({ label }) => label)).toEqual(['Stable', 'My stable', 'Unstable'])
})

test('a group lists a few entries', () => {
  const many = Array.from({ length: 300 }, (_, n) => entry('apps', `App ${n}`))
  expect(findEntries(many, 'app')).toHaveLength(6)
})

test('what acts at once is found by its verb alone, after everything else', () => {
  const stop = {
    ...entry('stops', 'Stop 1.1.0', 'editor/stable'),
    verbs: ['stop', 'pause', 'halt'],
  }
  const all = (text: string) => findEntries([stop, ...ENTRIES], text).map(({ label }) => label)
  for (const text of ['stop', 'pause 1.1', 'halt editor']) expect(all(text)).toEqual(['Stop 1.1.0'])
  for (const text of ['editor', 'st', '1.1.0', 'stable'])
    expect(all(text)).not.toContain('Stop 1.1.0')
  expect(all('')).not.toContain('Stop 1.1.0')
})
