import { Checkbox, NativeSelect, Text } from '@mantine/core'
import { NOTICE_KINDS, type NoticeKind } from '../../../../shared/events/notice.ts'
import { MailTime, type NotificationChoices } from '../../../../shared/events/notifications.ts'
import classes from './notifications.module.css'
import { KIND_HINTS, KIND_NAMES, MAIL_TIMES, text } from './strings.ts'

interface Props {
  readonly choices: NotificationChoices
  /** Whether the server sends push notifications. */
  readonly isOffered: boolean
  readonly onChange: (part: Pick<NotificationChoices, 'mail' | 'push'>) => void
}

/** How each kind of notice reaches the person. */
export function KindFields({ choices: { mail, push }, isOffered, onChange }: Props) {
  const setMail = (kind: NoticeKind, chosen: string) => {
    const time = MailTime.parse(chosen)
    onChange({ push, mail: kind === 'alarms' ? withAlarms(mail, time) : { ...mail, [kind]: time } })
  }
  return (
    <div className={classes.kinds}>
      {NOTICE_KINDS.map((kind) => (
        <div key={kind} className={classes.kind}>
          <div className={classes.about}>
            <Text size="sm" fw={500}>
              {KIND_NAMES[kind]}
            </Text>
            <Text size="xs" c="dimmed">
              {KIND_HINTS[kind]}
            </Text>
          </div>
          <NativeSelect
            aria-label={text.mailOf(KIND_NAMES[kind])}
            className={classes.mail}
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
        </div>
      ))}
    </div>
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
