import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { memo, useId } from 'react'
import type { AppName } from '../../../shared/console/apps.ts'
import { DEFAULT_CHANNEL } from '../../../shared/releases/channel.ts'
import type { VersionVerdict } from '../../../shared/releases/version-verdict.ts'
import { server } from '../../bridge/clients.ts'
import { Panel } from '../../components/blocks.tsx'
import {
  appChoices,
  nameChoices,
  SearchableSelect,
} from '../../components/list/searchable-select.tsx'
import { NameField, TextField } from '../../components/text-fields.tsx'
import { NotesField } from '../notes/notes-field.tsx'
import { namedApp, type PublishDraft, type PublishIssues } from './draft.ts'
import classes from './publish.module.css'
import { text, verdictInWords } from './strings.ts'

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
  const { app, newApp, channel, version, notes } = draft
  return (
    <Panel title={text.release}>
      <Stack gap="md">
        {hasPlace && (
          <div className={classes.place}>
            {newApp === undefined ? (
              <PlaceFields apps={apps} app={app} channel={channel} onChange={onPlace} />
            ) : (
              <NameField
                label={text.newApp}
                description={text.newAppHint(app)}
                value={newApp}
                error={issues?.place}
                onChange={(typed) => onPlace(namedApp(typed))}
              />
            )}
            <VersionField
              app={newApp === undefined ? app : ''}
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

interface VersionFieldProps {
  readonly app: string
  readonly channel: string
  readonly value: string
  readonly onChange: (version: string) => void
  /** Shown where the server has said nothing. */
  readonly issue: string | undefined
  /** Why the server refused to publish this version. */
  readonly refusal: string | undefined
}

/** What the server says of a version; undefined while it is asked. */
export function useVersionVerdict(
  app: string,
  channel: string,
  version: string,
): VersionVerdict | undefined {
  const [asked] = useDebouncedValue(version.trim(), 250)
  const complete = app !== '' && channel !== '' && asked !== ''
  const query = useQuery({
    ...server.releases.checkVersion.queryOptions({ app, channel, version: asked }),
    enabled: complete,
    // The channel can get the version while the form is open.
    staleTime: 0,
  })
  const current = complete && asked === version.trim() && !query.isPlaceholderData
  return current ? query.data : undefined
}

/** The version, checked while it is typed. The line under it keeps its height whatever it says. */
function VersionField({ app, channel, value, onChange, issue, refusal }: VersionFieldProps) {
  const id = useId()
  const verdict = useVersionVerdict(app, channel, value)
  const { words, tone }: Line =
    refusal === undefined
      ? lineOf(value, verdict, `${app}/${channel}`, issue)
      : { words: refusal, tone: 'bad' }
  return (
    <div>
      <TextField
        label={text.version}
        required
        placeholder={text.versionExample}
        maxLength={260}
        value={value}
        error={tone === 'bad'}
        aria-describedby={id}
        onChange={onChange}
      />
      <Text id={id} size="xs" mt={4} className={classes.line} data-tone={tone} role="status">
        {words}
      </Text>
    </div>
  )
}

const TONES = {
  free: 'good',
  lower: 'warn',
  first_prerelease: 'warn',
  not_above_for_sparkle: 'warn',
  same_for_electron: 'warn',
  duplicate: 'bad',
  invalid: 'bad',
} as const

interface Line {
  readonly words: string
  /** Undefined for what is neither good nor bad. */
  readonly tone?: 'good' | 'warn' | 'bad'
}

function lineOf(
  value: string,
  verdict: VersionVerdict | undefined,
  place: string,
  issue?: string,
): Line {
  if (value.trim() === '') {
    return issue ? { words: issue, tone: 'bad' } : { words: text.versionHint }
  }
  if (verdict === undefined) return issue ? { words: issue, tone: 'bad' } : { words: '' }
  return { words: verdictInWords(verdict, place), tone: TONES[verdict.state] }
}
