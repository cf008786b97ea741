import { Switch } from '@mantine/core'
import { DataRules, type SettingsView } from '../../shared/console/settings.ts'
import { NumberField } from './number-field.tsx'
import { PathField } from './path-field.tsx'
import { SectionForm } from './section-form.tsx'
import classes from './settings.module.css'
import { useSection } from './use-section.ts'

interface Draft {
  readonly keepDays: number | string
  readonly keepDeviceDays: number | string
  readonly keepSeenOnceDays: number | string
  readonly scheduled: boolean
  readonly everyHours: number | string
  readonly keep: number | string
  readonly folder: string
}

const toDraft = ({ keepCheckInDays, backups, ...devices }: DataRules): Draft => ({
  keepDays: keepCheckInDays,
  ...devices,
  scheduled: backups.everyHours > 0,
  everyHours: backups.everyHours || 24,
  keep: backups.keep,
  folder: backups.folder ?? '',
})
const toInput = ({ keepDays, scheduled, everyHours, keep, folder, ...devices }: Draft) => ({
  keepCheckInDays: keepDays,
  ...devices,
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
      <div className={classes.row}>
        <NumberField
          label="Keep check-ins"
          description="0 = forever. Statistics are kept."
          suffix={daySuffix(draft.keepDays)}
          value={draft.keepDays}
          issue={issues.get('keepCheckInDays')}
          onChange={(keepDays) => change({ keepDays })}
        />
        <NumberField
          label="Keep devices"
          description="Since last seen (0 = forever)"
          suffix={daySuffix(draft.keepDeviceDays)}
          value={draft.keepDeviceDays}
          issue={issues.get('keepDeviceDays')}
          onChange={(keepDeviceDays) => change({ keepDeviceDays })}
        />
        <NumberField
          label="Keep devices seen once"
          description="By an update check (0 = same as other devices)"
          suffix={daySuffix(draft.keepSeenOnceDays)}
          value={draft.keepSeenOnceDays}
          issue={issues.get('keepSeenOnceDays')}
          onChange={(keepSeenOnceDays) => change({ keepSeenOnceDays })}
        />
      </div>
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
        description="Another disk is best: a copy beside the database is lost with it."
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
