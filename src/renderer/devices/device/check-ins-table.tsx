import { Table, Text } from '@mantine/core'
import type { DeviceCheckIn } from '../../../shared/console/devices.ts'
import { REASON_LABELS } from '../../../shared/wording/explanation.ts'
import { OUTCOME_LABELS } from '../../../shared/wording/health.ts'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Exactly } from '../ago.tsx'
import { text as listText, SOURCE_WORDS, deviceText as text } from '../strings.ts'

interface Props {
  readonly app: string
  readonly checkIns: readonly DeviceCheckIn[]
}

/** Check-ins as rows. */
export function CheckInsTable({ app, checkIns }: Props) {
  return (
    <Table aria-label={text.checkInsTable} className="numbers">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.time}</Table.Th>
          <Table.Th>{text.source}</Table.Th>
          <Table.Th>{text.result}</Table.Th>
          <Table.Th>{listText.version}</Table.Th>
          <Table.Th>{listText.channel}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {checkIns.map(({ id, at, source, reason, outcome, version, channel }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Exactly at={at} />
            </Table.Td>
            <Table.Td>{SOURCE_WORDS[source]}</Table.Td>
            <Table.Td>
              {outcome !== null ? (
                OUTCOME_LABELS[outcome]
              ) : reason === null ? (
                <Text span size="sm" c="dimmed">
                  {text.noResult}
                </Text>
              ) : (
                REASON_LABELS[reason]
              )}
            </Table.Td>
            <Table.Td>
              {version === null ? '–' : <VersionBadge app={app} version={version} />}
            </Table.Td>
            <Table.Td>{channel ?? '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
