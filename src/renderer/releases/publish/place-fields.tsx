import { Stack } from '@mantine/core'
import { memo } from 'react'
import { DEFAULT_CHANNEL } from '../../../shared/channel.ts'
import type { AppName } from '../../../shared/console/apps.ts'
import { appChoices, nameChoices } from '../../components/list/choices.ts'
import { SearchableSelect } from '../../components/list/searchable-select.tsx'
import { Panel } from '../../components/panel.tsx'
import { NotesField } from '../notes/notes-field.tsx'
import type { PublishDraft, PublishIssues } from './draft.ts'
import classes from './publish.module.css'
import { text } from './strings.ts'
import { VersionField } from './version-field.tsx'

interface Props {
  readonly apps: readonly AppName[]
  readonly app: string
  readonly channel: string
  readonly onChange: (place: { app: string; channel: string }) => void
}

/** The app and the channel that a release is published on. */
const PlaceFields = memo(function PlaceFields(props: Props) {
  const { apps, app, channel, onChange } = props
  const channels = apps.find(({ ref }) => ref === app)?.channels ?? []
  return (
    <>
      <SearchableSelect
        label={text.app}
        required
        value={app}
        choices={appChoices(apps)}
        onChange={(ref) => onChange(placeIn(apps, ref, channel))}
      />
      <SearchableSelect
        label={text.channel}
        required
        value={channel}
        choices={nameChoices(channels)}
        onChange={(name) => onChange({ app, channel: name })}
      />
    </>
  )
})

/** The app and channel that were asked for where they exist, else the first app and its usual channel. */
export function placeIn(
  apps: readonly AppName[],
  app: string,
  channel: string,
): { app: string; channel: string } {
  const chosen = apps.find(({ ref }) => ref === app) ?? apps[0]
  const names = chosen?.channels ?? []
  const name = [channel, DEFAULT_CHANNEL].find((wanted) => names.includes(wanted)) ?? names[0]
  return { app: chosen?.ref ?? '', channel: name ?? '' }
}

interface ReleasePartProps {
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
export function ReleasePart(props: ReleasePartProps) {
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
