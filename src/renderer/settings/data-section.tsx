import { Switch } from '@mantine/core'
import { DataRules, DEFAULT_SETTINGS, type SettingsView } from '../../shared/console/settings.ts'
import { NumberField, NumberFields } from './number-field.tsx'
import { PathField } from './path-field.tsx'
import { SectionForm } from './section-form.tsx'
import classes from './settings.module.css'
import { useSection } from './use-section.ts'

const DAYS = [
  {
    name: 'keepCheckInDays',
    label: 'Keep check-ins',
    description: '0 = forever. Statistics are kept.',
  },
  { name: 'keepDeviceDays', label: 'Keep devices', description: 'Since last seen (0 = forever)' },
  {
    name: 'keepSeenOnceDays',
    label: 'Keep devices seen once',
    description: 'By an update check (0 = same as other devices)',
  },
] as const

interface Draft {
  readonly days: Readonly<Record<(typeof DAYS)[number]['name'], number | string>>
  readonly scheduled: boolean
  readonly everyHours: number | string
  readonly keep: number | string
  readonly folder: string
}

const toDraft = ({ backups, ...days }: DataRules): Draft => ({
  days,
  scheduled: backups.everyHours > 0,
  everyHours: backups.everyHours || DEFAULT_SETTINGS.data.backups.everyHours,
  keep: backups.keep,
  folder: backups.folder ?? '',
})
const toInput = ({ days, scheduled, everyHours, keep, folder }: Draft) => ({
  ...days,
  backups: {
    everyHours: scheduled ? everyHours : 0,
    keep,
    folder: folder.trim() === '' ? null : folder,
  },
})

/** How long check-ins and devices are kept, and when copies of the database are made. */
export function DataSection({ view }: { readonly view: SettingsView }) {
  const saved = view.settings.data
  const section = useSection({ name: 'data', schema: DataRules, saved, toDraft, toInput })
  const { draft, change, issues } = section
  return (
    <SectionForm
      title="Data"
      {...section}
      onSubmit={(form) => void section.submit(form)}
      onDiscard={section.discard}
    >
      <NumberFields
        fields={DAYS.map((field) => ({ ...field, suffix: daySuffix(draft.days[field.name]) }))}
        values={draft.days}
        issues={issues}
        onChange={(days) => change({ days })}
      />
      <Switch
        label="Back up on a schedule"
        description="While the server runs; a copy that is due is made a minute after its start."
        checked={draft.scheduled}
        onChange={(event) => change({ scheduled: event.currentTarget.checked })}
      />
      <div className={classes.row}>
        {draft.scheduled && (
          <NumberField
            label="Back up every"
            description="Hours"
            suffix={draft.everyHours === 1 ? ' hour' : ' hours'}
            value={draft.everyHours}
            issue={issues.get('backups.everyHours')}
            onChange={(everyHours) => change({ everyHours })}
          />
        )}
        <NumberField
          label="Copies to keep"
          description="The oldest is deleted."
          value={draft.keep}
          issue={issues.get('backups.keep')}
          onChange={(keep) => change({ keep })}
        />
      </div>
      <PathField
        kind="folder"
        label="Backup folder"
        description="Use a different disk so that a disk failure does not destroy the backups too."
        placeholder={view.usualBackupFolder}
        value={draft.folder}
        issue={issues.get('backups.folder')}
        onChange={(folder) => change({ folder })}
      />
    </SectionForm>
  )
}

function daySuffix(days: number | string): string {
  return days === 1 ? ' day' : ' days'
}
