import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { VersionVerdict } from '../../../shared/version-verdict.ts'
import { server } from '../../bridge/clients.ts'
import classes from './publish.module.css'
import { text, verdictInWords } from './strings.ts'

interface Props {
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
export function VersionField({ app, channel, value, onChange, issue, refusal }: Props) {
  const id = useId()
  const verdict = useVersionVerdict(app, channel, value)
  const { words, tone }: Line =
    refusal === undefined
      ? lineOf(value, verdict, `${app}/${channel}`, issue)
      : { words: refusal, tone: 'bad' }
  return (
    <div>
      <TextInput
        label={text.version}
        required
        placeholder={text.versionExample}
        autoComplete="off"
        spellCheck={false}
        maxLength={260}
        value={value}
        error={tone === 'bad'}
        aria-describedby={id}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
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
  readonly tone: 'quiet' | 'good' | 'warn' | 'bad'
}

function lineOf(
  value: string,
  verdict: VersionVerdict | undefined,
  place: string,
  issue?: string,
): Line {
  if (value.trim() === '') {
    return issue ? { words: issue, tone: 'bad' } : { words: text.versionHint, tone: 'quiet' }
  }
  if (verdict === undefined)
    return issue ? { words: issue, tone: 'bad' } : { words: '', tone: 'quiet' }
  return { words: verdictInWords(verdict, place), tone: TONES[verdict.state] }
}
