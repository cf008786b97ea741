import { expect, test } from 'vitest'
import { budgetSentence } from '../../../src/renderer/overview/strings.ts'
import { BudgetName } from '../../../src/shared/operation/budgets.ts'

test('every budget has a sentence with its count', () => {
  const sentences = BudgetName.options.map((name) => budgetSentence({ name, count: 12 }))
  expect(new Set(sentences).size).toBe(BudgetName.options.length)
  for (const sentence of sentences) expect(sentence).toMatch(/\b12\b.*\.$/)
  expect(budgetSentence({ name: 'requests', count: 1 })).toContain('--device-limit')
})
