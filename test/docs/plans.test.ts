import { expect, test } from 'vitest'
import { Plan, PlanStep } from '../../src/shared/plans/plan.ts'
import { PLAN_PRESETS } from '../../src/shared/plans/plan-presets.ts'
import { PageCode, readPage } from '../support/docs/page.ts'

const code = new PageCode('docs/plans.md')
const plan = JSON.parse(code.takeOne('Publish with a plan', 'json'))
const steps = ['Ask Prometheus', 'Ask Sentry'].map((heading) =>
  JSON.parse(code.takeOne(heading, 'json')),
)

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the plan is valid, and has every member', () => {
  expect(Plan.parse(plan)).toEqual(plan)
  expect(Object.keys(plan).toSorted()).toEqual(Object.keys(Plan.shape).toSorted())
})

test('the steps with checks are valid', () => {
  for (const step of steps) expect(PlanStep.parse(step)).toEqual(step)
})

test('every preset is in the table', () => {
  for (const preset of PLAN_PRESETS)
    expect(readPage('docs/plans.md')).toContain(`| \`${preset}\` |`)
})
