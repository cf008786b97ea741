import { Fieldset } from '@mantine/core'
import { NumberFields } from './number-field.tsx'
import type { Issues } from './read-section.ts'
import classes from './settings.module.css'

const FIELDS = [
  {
    name: 'newDevices',
    label: 'New devices per hour',
    description: 'Per address (0 = unlimited)',
  },
  {
    name: 'combinations',
    label: 'Unreleased versions',
    description: 'And platforms, per app',
  },
  {
    name: 'labelBytes',
    label: 'Labels per device',
    description: 'Keys and values in UTF-8',
    suffix: ' bytes',
  },
  {
    name: 'minFreeDiskMiB',
    label: 'Minimum free disk space',
    description: 'For new data (0 = no limit)',
    suffix: ' MiB',
  },
] as const

/** Budgets as they are typed. */
export type BudgetDraft = Readonly<Record<(typeof FIELDS)[number]['name'], number | string>>

interface Props {
  readonly draft: BudgetDraft
  readonly issues: Issues
  readonly onChange: (draft: BudgetDraft) => void
}

/** What update checks, which need no key, can add to the database. */
export function BudgetFields({ draft, issues, onChange }: Props) {
  return (
    <Fieldset
      variant="unstyled"
      className={classes.limits ?? ''}
      legend="What update checks can store"
    >
      <NumberFields
        fields={FIELDS}
        values={draft}
        issues={issues}
        path="budgets"
        onChange={onChange}
      />
    </Fieldset>
  )
}
