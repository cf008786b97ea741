import { expect, test } from 'vitest'
import { Targets } from '../../src/shared/targets.ts'
import { PageCode } from '../support/docs/page.ts'

const code = new PageCode('docs/api.md')
const targets = JSON.parse(code.takeOne('Targets', 'json'))

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the targets are valid', () => {
  expect(Targets.parse(targets)).toEqual(targets)
})
