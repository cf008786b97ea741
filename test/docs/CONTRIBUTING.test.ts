import { expect, test } from 'vitest'
import { PageCode } from '../support/docs/page.ts'
import { runShell } from '../support/docs/run.ts'

const code = new PageCode('CONTRIBUTING.md')
const oneTest = code.takeOne('Run one test', 'sh')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('one test runs', async () => {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TIDEGATE_TEST)/.test(name)),
  )
  const output = await runShell(`NO_COLOR=1 ${oneTest}`, environment)
  expect(output).toMatch(/Test Files +1 passed/)
})
