import { Checkbox, NativeSelect, Table, Text } from '@mantine/core'
import { MailTime, type NotificationChoices } from '../../../shared/console/notifications.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../../shared/notice.ts'
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
    <Table className={classes.kinds}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          <Table.Th>{text.mail}</Table.Th>
          {isOffered && <Table.Th>{text.push}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {NOTICE_KINDS.map((kind) => (
          <Table.Tr key={kind}>
            <Table.Th scope="row">
              <Text size="sm">{KIND_NAMES[kind]}</Text>
              <Text size="xs" c="dimmed" fw="normal">
                {KIND_HINTS[kind]}
              </Text>
            </Table.Th>
            <Table.Td>
              <NativeSelect
                aria-label={text.mailOf(KIND_NAMES[kind])}
                data={timesOf(kind)}
                value={mail[kind]}
                onChange={({ currentTarget }) => setMail(kind, currentTarget.value)}
              />
            </Table.Td>
            {isOffered && (
              <Table.Td>
                <Checkbox
                  aria-label={text.pushOf(KIND_NAMES[kind])}
                  checked={push[kind]}
                  onChange={({ currentTarget }) =>
                    onChange({ mail, push: { ...push, [kind]: currentTarget.checked } })
                  }
                />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
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
