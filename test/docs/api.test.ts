import { expect, test } from 'vitest'
import { EarlyAccess } from '../../src/shared/releases/channel.ts'
import { Targets } from '../../src/shared/releases/targets.ts'
import { PageCode } from '../support/docs/page.ts'

const code = new PageCode('docs/api.md')
const targets = JSON.parse(code.takeOne('Targets', 'json'))
const earlyAccess = JSON.parse(code.takeOne('Early access', 'json'))

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the targets are valid', () => {
  expect(Targets.parse(targets)).toEqual(targets)
})

test('the early access list is valid', () => {
  expect(EarlyAccess.parse(earlyAccess)).toMatchObject(earlyAccess)
})
