import { Stack } from '@mantine/core'
import type { AppName } from '../../../shared/console/apps.ts'
import { Panel } from '../../components/panel.tsx'
import { NotesField } from '../notes/notes-field.tsx'
import type { PublishDraft, PublishIssues } from './draft.ts'
import { PlaceFields } from './place-fields.tsx'
import classes from './publish.module.css'
import { text } from './strings.ts'
import { VersionField } from './version-field.tsx'

interface Props {
  readonly apps: readonly AppName[]
  readonly draft: PublishDraft
  /** False for a stored draft, whose channel and version stay as they are. */
  readonly hasPlace: boolean
  readonly issues: PublishIssues | undefined
  /** Why the server refused to publish this version. */
  readonly duplicate: string | undefined
  readonly onPlace: (parts: Partial<PublishDraft>) => void
  readonly onNotes: (notes: string) => void
}

/** Where a release is published, its version, and what changed. */
export function ReleasePart(props: Props) {
  const { apps, draft, hasPlace, issues, duplicate, onPlace, onNotes } = props
  const { app, channel, version, notes } = draft
  return (
    <Panel title={text.release}>
      <Stack gap="md">
        {hasPlace && (
          <div className={classes.place}>
            <PlaceFields apps={apps} app={app} channel={channel} onChange={onPlace} />
            <VersionField
              app={app}
              channel={channel}
              value={version}
              issue={issues?.version}
              refusal={duplicate}
              onChange={(typed) => onPlace({ version: typed })}
            />
          </div>
        )}
        <NotesField value={notes} issue={issues?.notes} onChange={onNotes} />
      </Stack>
    </Panel>
  )
}
