import { Table, Text } from '@mantine/core'
import type { DeviceCheckIn } from '../../../shared/console/devices.ts'
import { REASON_LABELS } from '../../../shared/wording/explanation.ts'
import { VersionBadge } from '../../components/version-badge.tsx'
import { Exactly } from '../ago.tsx'
import { SOURCE_WORDS } from '../strings.ts'

interface Props {
  readonly app: string
  readonly checkIns: readonly DeviceCheckIn[]
}

/** Check-ins as rows. */
export function CheckInsTable({ app, checkIns }: Props) {
  return (
    <Table aria-label="Check-ins" className="numbers">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>From</Table.Th>
          <Table.Th>Answer</Table.Th>
          <Table.Th>Version</Table.Th>
          <Table.Th>Channel</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {checkIns.map(({ id, at, source, reason, version, channel }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Exactly at={at} />
            </Table.Td>
            <Table.Td>{SOURCE_WORDS[source]}</Table.Td>
            <Table.Td>
              {reason === null ? (
                <Text span size="sm" c="dimmed">
                  None is given to a report
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
