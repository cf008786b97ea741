import { Alert, List, Text } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import type { UsedBudget } from '../../shared/budgets.ts'
import { When } from '../components/when.tsx'
import { budgetWords } from './strings.ts'

/** Lists the limits for requests without a key that were reached within the last hour. */
export function BudgetNotice({ budgets }: { readonly budgets: readonly UsedBudget[] }) {
  if (budgets.length === 0) return null
  return (
    <Alert
      color="yellow"
      icon={<IconGauge aria-hidden="true" />}
      title={budgets.length === 1 ? 'A limit was reached' : 'Limits were reached'}
    >
      <List size="sm" spacing={4}>
        {budgets.map((budget) => (
          <List.Item key={budget.name}>
            {budgetWords(budget)} Last reached: <When at={budget.last} />.
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        Update checks are not affected.
      </Text>
    </Alert>
  )
}
