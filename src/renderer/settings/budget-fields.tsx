import { Fieldset } from '@mantine/core'
import { NumberFields } from './number-field.tsx'
import type { Issues } from './read-section.ts'
import classes from './settings.module.css'
import { text } from './strings.ts'

const FIELDS = [
  { name: 'newDevices', label: text.newDevices, description: text.newDevicesHint },
  { name: 'combinations', label: text.combinations, description: text.combinationsHint },
  {
    name: 'labelBytes',
    label: text.labelBytes,
    description: text.labelBytesHint,
    unit: text.bytes,
  },
  {
    name: 'minFreeDiskMiB',
    label: text.minFreeDisk,
    description: text.minFreeDiskHint,
    unit: text.mebibytes,
  },
] as const

/** Budgets as they are typed. */
export type BudgetDraft = Readonly<Record<(typeof FIELDS)[number]['name'], string>>

interface Props {
  readonly draft: BudgetDraft
  readonly issues: Issues
  readonly onChange: (draft: BudgetDraft) => void
}

/** What requests without a key can add to the database. */
export function BudgetFields({ draft, issues, onChange }: Props) {
  return (
    <Fieldset variant="unstyled" className={classes.limits ?? ''} legend={text.budgets}>
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
