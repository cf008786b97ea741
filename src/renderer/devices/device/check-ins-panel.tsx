import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceCheckIn, DeviceDetail } from '../../../shared/console/devices.ts'
import { REASON_LABELS } from '../../../shared/wording/explanation.ts'
import { OUTCOME_LABELS } from '../../../shared/wording/judgement.ts'
import { server } from '../../bridge/clients.ts'
import { Panel, TurnButton } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Quiet, When } from '../../components/text/words.tsx'
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
      aside={<Quiet>{keptInWords(keepCheckInDays)}</Quiet>}
      actions={
        <>
          <TurnButton
            aria-label={text.newerCheckIns}
            closed={opened.length === 0}
            onClick={() => setOpened(opened.slice(0, -1))}
          >
            {text.newer}
          </TurnButton>
          <TurnButton
            aria-label={text.olderCheckIns}
            closed={older === null || checkIns.isPlaceholderData}
            onClick={() => older !== null && setOpened([...opened, older])}
          >
            {text.older}
          </TurnButton>
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

interface Props {
  readonly app: string
  readonly checkIns: readonly DeviceCheckIn[]
}

/** Check-ins as rows. */
function CheckInsTable({ app, checkIns }: Props) {
  return (
    <DataTable
      label={text.checkInsTable}
      className="numbers"
      rows={checkIns}
      keyOf={({ id }) => `${id}`}
      columns={[
        { name: text.time, cell: ({ at }) => <When at={at} as="exact" /> },
        { name: text.source, cell: ({ source }) => SOURCE_WORDS[source] },
        { name: text.result, cell: (checkIn) => <Result checkIn={checkIn} /> },
        {
          name: listText.version,
          cell: ({ version }) =>
            version === null ? '–' : <VersionBadge app={app} version={version} />,
        },
        { name: listText.channel, cell: ({ channel }) => channel ?? '–' },
      ]}
    />
  )
}

function Result({ checkIn: { outcome, reason } }: { readonly checkIn: DeviceCheckIn }) {
  if (outcome !== null) return OUTCOME_LABELS[outcome]
  return reason === null ? <Quiet span>{text.noResult}</Quiet> : REASON_LABELS[reason]
}
