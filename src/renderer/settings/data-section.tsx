import { Switch } from '@mantine/core'
import {
  DataRules,
  DEFAULT_SETTINGS,
  type SettingsView,
} from '../../shared/console/settings/settings.ts'
import { NumberField, NumberFields, PathField } from './fields.tsx'
import { NUMBERS } from './number-strings.ts'
import { readNumber, readNumbers, type Typed, typed } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import classes from './settings.module.css'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'

interface Draft {
  readonly days: Typed<'retention'>
  readonly scheduled: boolean
  readonly everyHours: string
  readonly keep: string
  readonly folder: string
}

const toDraft = ({ backups, ...days }: DataRules): Draft => ({
  days: typed(days),
  scheduled: backups.everyHours > 0,
  everyHours: `${backups.everyHours || DEFAULT_SETTINGS.data.backups.everyHours}`,
  keep: `${backups.keep}`,
  folder: backups.folder ?? '',
})
const toInput = ({ days, scheduled, everyHours, keep, folder }: Draft) => ({
  ...readNumbers(days),
  backups: {
    everyHours: scheduled ? readNumber(everyHours) : 0,
    keep: readNumber(keep),
    folder: folder.trim() === '' ? null : folder,
  },
})

/** How long check-ins and devices are kept, and when backups are made. */
export function DataSection({ view }: { readonly view: SettingsView }) {
  const section = useSection({ name: 'data', schema: DataRules, view, toDraft, toInput })
  const { draft, change, issues } = section
  return (
    <SectionForm title={text.data} {...section}>
      <NumberFields
        fields={NUMBERS.retention}
        values={draft.days}
        issues={issues}
        onChange={(days) => change({ days })}
      />
      <Switch
        label={text.scheduled}
        description={text.scheduledHint}
        checked={draft.scheduled}
        onChange={(event) => change({ scheduled: event.currentTarget.checked })}
      />
      <div className={classes.row}>
        {draft.scheduled && (
          <NumberField
            {...NUMBERS.backups.everyHours}
            value={draft.everyHours}
            issue={issues.get('backups.everyHours')}
            onChange={(everyHours) => change({ everyHours })}
          />
        )}
        <NumberField
          {...NUMBERS.backups.keep}
          value={draft.keep}
          issue={issues.get('backups.keep')}
          onChange={(keep) => change({ keep })}
        />
      </div>
      <PathField
        kind="backups"
        label={text.folder}
        description={text.folderHint}
        placeholder={view.usualBackupFolder}
        value={draft.folder}
        issue={issues.get('backups.folder')}
        onChange={(folder) => change({ folder })}
      />
    </SectionForm>
  )
}
