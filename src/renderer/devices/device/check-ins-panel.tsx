import { Button, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceCheckIn, DeviceDetail } from '../../../shared/console/devices.ts'
import { REASON_LABELS } from '../../../shared/wording/explanation.ts'
import { OUTCOME_LABELS } from '../../../shared/wording/health.ts'
import { server } from '../../bridge/clients.ts'
import { Loaded } from '../../components/loading/loaded.tsx'
import { Loading } from '../../components/loading/loading.tsx'
import { Panel } from '../../components/panel.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Exactly } from '../ago.tsx'
import { keptInWords, text as listText, SOURCE_WORDS, deviceText as text } from '../strings.ts'

/** What a device sent lately, page by page; the newest page stays up to date. */
export function CheckInsPanel({ device }: { readonly device: DeviceDetail }) {
  const { app, deviceId, keepCheckInDays } = device
  /** Where each page that was opened begins, beside the newest. */
  const [opened, setOpened] = useState<readonly number[]>([])
  const checkIns = useQuery({
    ...server.devices.checkIns.queryOptions({ app, deviceId, from: opened.at(-1) }),
    placeholderData: keepPreviousData,
  })
  const older = checkIns.data?.older ?? null
  return (
    <Panel
      title={text.checkIns}
      aside={
        <Text size="sm" c="dimmed">
          {keptInWords(keepCheckInDays)}
        </Text>
      }
      actions={
        <>
          <Turn
            label={text.newerCheckIns}
            closed={opened.length === 0}
            onTurn={() => setOpened(opened.slice(0, -1))}
          >
            {text.newer}
          </Turn>
          <Turn
            label={text.olderCheckIns}
            closed={older === null || checkIns.isPlaceholderData}
            onTurn={() => older !== null && setOpened([...opened, older])}
          >
            {text.older}
          </Turn>
        </>
      }
      flush
    >
      <Loaded query={checkIns} loading={<Loading rows={5} />}>
        {(page) =>
          page.checkIns.length === 0 ? (
            <Text c="dimmed" p="md">
              {text.noCheckIns}
            </Text>
          ) : (
            <CheckInsTable app={app} checkIns={page.checkIns} />
          )
        }
      </Loaded>
    </Panel>
  )
}

interface TurnProps {
  readonly label: string
  readonly closed: boolean
  readonly onTurn: () => void
  readonly children: string
}

/** Keeps the focus where it leads nowhere any more. */
function Turn({ label, closed, onTurn, children }: TurnProps) {
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={label}
      aria-disabled={closed}
      data-disabled={closed}
      onClick={() => !closed && onTurn()}
    >
      {children}
    </Button>
  )
}

interface Props {
  readonly app: string
  readonly checkIns: readonly DeviceCheckIn[]
}

/** Check-ins as rows. */
function CheckInsTable({ app, checkIns }: Props) {
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
