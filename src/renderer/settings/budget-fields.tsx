import { Fieldset } from '@mantine/core'
import { NumberField } from './number-field.tsx'
import type { Issues } from './read-section.ts'
import classes from './settings.module.css'

interface BudgetDraft {
  readonly combinations: number | string
  readonly newDevices: number | string
  readonly labelBytes: number | string
  readonly minFreeDiskMiB: number | string
}

interface Props {
  readonly draft: BudgetDraft
  readonly issues: Issues
  readonly change: (change: Partial<BudgetDraft>) => void
}

/** What update checks, which need no key, can add to the database. */
export function BudgetFields({ draft, issues, change }: Props) {
  return (
    <Fieldset
      variant="unstyled"
      className={classes.limits ?? ''}
      legend="What update checks can store"
    >
      <div className={classes.row}>
        <NumberField
          label="New devices per hour"
          description="Per address (0 = unlimited)"
          value={draft.newDevices}
          issue={issues.get('budgets.newDevices')}
          onChange={(newDevices) => change({ newDevices })}
        />
        <NumberField
          label="Unreleased versions"
          description="And platforms, per app"
          value={draft.combinations}
          issue={issues.get('budgets.combinations')}
          onChange={(combinations) => change({ combinations })}
        />
        <NumberField
          label="Labels per device"
          description="Keys and values in UTF-8"
          suffix=" bytes"
          value={draft.labelBytes}
          issue={issues.get('budgets.labelBytes')}
          onChange={(labelBytes) => change({ labelBytes })}
        />
        <NumberField
          label="Minimum free disk space"
          description="For new data (0 = no limit)"
          suffix=" MiB"
          value={draft.minFreeDiskMiB}
          issue={issues.get('budgets.minFreeDiskMiB')}
          onChange={(minFreeDiskMiB) => change({ minFreeDiskMiB })}
        />
      </div>
    </Fieldset>
  )
}
