import { Box, Checkbox, Group, MultiSelect, NativeSelect, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { AppName } from '../../../../shared/console/apps.ts'
import { DEFAULT_CHOICES, NOTICE_KINDS, type NoticeKind } from '../../../../shared/events/notice.ts'
import {
  AppLevel,
  MailTime,
  type NotificationChoices,
  type OwnNotifications,
} from '../../../../shared/events/notifications.ts'
import { accountClient } from '../../../bridge/browser/account-client.ts'
import { ErrorNotice, PlainButton } from '../../../components/blocks.tsx'
import { useChange } from '../../../components/change/use-change.ts'
import { SearchableSelect } from '../../../components/list/searchable-select.tsx'
import { ownTimeZone, TIME_ZONES } from '../../../components/text/time.ts'
import { Small, Strong } from '../../../components/text/words.tsx'
import { PlainField } from '../../../components/text-fields.tsx'
import { APP_LEVELS, KIND_HINTS, KIND_NAMES, MAIL_TIMES, text } from './strings.ts'

interface Props {
  readonly own: OwnNotifications
  readonly apps: readonly Pick<AppName, 'ref' | 'name'>[]
}

/** What a night is until somebody chooses another. */
const NIGHT = { from: '22:00', to: '07:00' } as const

/** What the person is notified about, and when. */
export function ChoicesForm({ own, apps }: Props) {
  const [choices, setChoices] = useState<NotificationChoices>(
    own.choices ?? { ...DEFAULT_CHOICES, timeZone: ownTimeZone() },
  )
  const [tried, setTried] = useState(false)
  const change = (part: Partial<NotificationChoices>) => setChoices({ ...choices, ...part })
  const save = useChange(accountClient.own.notifications.choose.mutate, {
    done: text.done,
    failed: text.failed,
  })
  const { quietHours, digestAt, timeZone } = choices
  const isValid = digestAt !== '' && isRange(quietHours)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (isValid) save.send(choices)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg" maw={720}>
        {!own.isMailing && <Text size="sm">{text.noMail}</Text>}
        <KindFields choices={choices} isOffered={own.pushKey !== null} onChange={change} />
        {apps.length > 1 && <AppFields choices={choices} apps={apps} onChange={change} />}
        <Checkbox
          label={text.quiet}
          description={text.quietHint}
          checked={quietHours !== null}
          onChange={({ currentTarget }) =>
            change({ quietHours: currentTarget.checked ? NIGHT : null })
          }
        />
        {quietHours !== null && (
          <Group align="start">
            {(['from', 'to'] as const).map((end) => (
              <PlainField
                key={end}
                label={text[end]}
                type="time"
                value={quietHours[end]}
                error={end === 'to' && tried && !isRange(quietHours) && text.invalidTimes}
                onChange={(typed) => change({ quietHours: { ...quietHours, [end]: typed } })}
              />
            ))}
          </Group>
        )}
        <Group align="start">
          <PlainField
            label={text.digestAt}
            type="time"
            value={digestAt}
            onChange={(typed) => change({ digestAt: typed })}
          />
          <SearchableSelect
            label={text.timeZone}
            w={280}
            value={timeZone}
            choices={TIME_ZONES}
            onChange={(zone) => change({ timeZone: zone })}
          />
        </Group>
        <ErrorNotice error={save.error} title={text.failed} />
        <Group>
          <PlainButton type="submit" loading={save.isPending}>
            {text.save}
          </PlainButton>
        </Group>
      </Stack>
    </form>
  )
}

function isRange(quiet: NotificationChoices['quietHours']): boolean {
  return quiet === null || (quiet.from !== '' && quiet.to !== '' && quiet.from !== quiet.to)
}

interface AppFieldsProps extends Pick<Props, 'apps'> {
  readonly choices: NotificationChoices
  readonly onChange: (part: Pick<NotificationChoices, 'apps'>) => void
}

/** The apps of which the person does not want everything. Those that they no longer see stay chosen. */
function AppFields({ choices, apps, onChange }: AppFieldsProps) {
  return (
    <Group align="start" grow preventGrowOverflow={false}>
      {AppLevel.options.map((level) => {
        const others = choices.apps.filter((chosen) => chosen.level !== level)
        const own = choices.apps.filter((chosen) => chosen.level === level)
        const isFree = (ref: string) => !others.some((chosen) => chosen.app === ref)
        const options = apps.filter(({ ref }) => isFree(ref))
        const unseen = own.filter(({ app }) => !apps.some(({ ref }) => ref === app))
        return (
          <MultiSelect
            key={level}
            label={APP_LEVELS[level].label}
            description={APP_LEVELS[level].hint}
            data={options.map(({ ref, name }) => ({ value: ref, label: name }))}
            value={own.filter((chosen) => !unseen.includes(chosen)).map(({ app }) => app)}
            onChange={(chosen) =>
              onChange({ apps: [...others, ...unseen, ...chosen.map((app) => ({ app, level }))] })
            }
            searchable
            hidePickedOptions
            miw={240}
          />
        )
      })}
    </Group>
  )
}

interface KindFieldsProps {
  readonly choices: NotificationChoices
  /** Whether the server sends push notifications. */
  readonly isOffered: boolean
  readonly onChange: (part: Pick<NotificationChoices, 'mail' | 'push'>) => void
}

/** How each kind of notice reaches the person. */
function KindFields({ choices: { mail, push }, isOffered, onChange }: KindFieldsProps) {
  const setMail = (kind: NoticeKind, chosen: string) => {
    const time = MailTime.parse(chosen)
    onChange({ push, mail: kind === 'alarms' ? withAlarms(mail, time) : { ...mail, [kind]: time } })
  }
  return (
    <Stack gap="md">
      {NOTICE_KINDS.map((kind) => (
        <Group key={kind} gap="8px 24px">
          <Box flex="1 1 300px">
            <Strong>{KIND_NAMES[kind]}</Strong>
            <Small>{KIND_HINTS[kind]}</Small>
          </Box>
          <NativeSelect
            aria-label={text.mailOf(KIND_NAMES[kind])}
            w={210}
            data={timesOf(kind)}
            value={mail[kind]}
            onChange={({ currentTarget }) => setMail(kind, currentTarget.value)}
          />
          {isOffered && (
            <Checkbox
              label={text.push}
              aria-label={text.pushOf(KIND_NAMES[kind])}
              checked={push[kind]}
              onChange={({ currentTarget }) =>
                onChange({ mail, push: { ...push, [kind]: currentTarget.checked } })
              }
            />
          )}
        </Group>
      ))}
    </Stack>
  )
}

/** An alarm never waits for a digest. */
function timesOf(kind: NoticeKind) {
  const times: readonly MailTime[] = ['at_once', 'digest', 'off']
  return times
    .filter((time) => kind !== 'alarms' || time !== 'digest')
    .map((value) => ({ value, label: MAIL_TIMES[value] }))
}

function withAlarms(mail: NotificationChoices['mail'], time: MailTime) {
  return time === 'digest' ? mail : { ...mail, alarms: time }
}
