import { Switch } from '@mantine/core'
import { DataRules, DEFAULT_SETTINGS, type SettingsView } from '../../shared/console/settings.ts'
import { NumberField, NumberFields } from './number-field.tsx'
import { PathField } from './path-field.tsx'
import { readNumber, readNumbers } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import classes from './settings.module.css'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'

const DAYS = [
  {
    name: 'keepCheckInDays',
    label: text.keepCheckIns,
    description: text.keepCheckInsHint,
  },
  {
    name: 'keepDeviceDays',
    label: text.keepDevices,
    description: text.keepDevicesHint,
  },
  {
    name: 'keepSeenOnceDays',
    label: text.keepSeenOnce,
    description: text.keepSeenOnceHint,
  },
] as const

interface Draft {
  readonly days: Readonly<Record<(typeof DAYS)[number]['name'], string>>
  readonly scheduled: boolean
  readonly everyHours: string
  readonly keep: string
  readonly folder: string
}

const toDraft = ({ backups, ...days }: DataRules): Draft => ({
  days: {
    keepCheckInDays: `${days.keepCheckInDays}`,
    keepDeviceDays: `${days.keepDeviceDays}`,
    keepSeenOnceDays: `${days.keepSeenOnceDays}`,
  },
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
        fields={DAYS}
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
            label={text.every}
            description={text.everyHint}
            unit={text.hours}
            value={draft.everyHours}
            issue={issues.get('backups.everyHours')}
            onChange={(everyHours) => change({ everyHours })}
          />
        )}
        <NumberField
          label={text.keepBackups}
          description={text.keepBackupsHint}
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
