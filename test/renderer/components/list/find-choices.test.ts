import { expect, test } from 'vitest'
import {
  findChoices,
  MAX_CHOICES,
  withChosen,
} from '../../../../src/renderer/components/list/searchable-select.tsx'

const choices = Array.from({ length: 300 }, (_, n) => ({
  value: `app-${n}`,
  label: `Product ${n}`,
}))
const found = (search: string, limit = MAX_CHOICES) =>
  findChoices(choices, search, limit).map(({ label }) => label)

test('choices are found by a part of their label, in either case', () => {
  expect(found(' pRODUCT 217 ')).toEqual(['Product 217'])
  expect(found('nothing like it')).toEqual([])
})

test('the first of many are shown, and a line that says how many there are besides', () => {
  expect(found('')).toHaveLength(MAX_CHOICES + 1)
  expect(found('').at(-1)).toBe('Type to find 250 more')
  expect(found('product 29', 11)).toEqual(['Product 29', ...ninetyTo299()])
  const more = findChoices(choices, '', 1).at(-1)
  expect(more).toMatchObject({ disabled: true })
})

test('the chosen one is among those that are shown before anything is typed', () => {
  expect(withChosen(choices, 'app-7')).toEqual(choices)
  const moved = withChosen(choices, 'app-217')
  expect(moved[0]).toEqual({ value: 'app-217', label: 'Product 217' })
  expect(new Set(moved)).toEqual(new Set(choices))
  expect(moved).toHaveLength(choices.length)
})

test('a value that no choice has is offered under its own name', () => {
  expect(withChosen(choices, 'gone')[0]).toEqual({ value: 'gone', label: 'gone' })
  expect(withChosen([], '')).toEqual([])
})

function ninetyTo299(): string[] {
  return Array.from({ length: 10 }, (_, n) => `Product ${290 + n}`)
}
