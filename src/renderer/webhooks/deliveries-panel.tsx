import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryItem } from '../../shared/console/webhooks.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { DataTable } from '../components/list/data-table.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { SmallButton } from '../components/small-button.tsx'
import { Small } from '../components/text/quiet.tsx'
import { When } from '../components/text/when.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { eventName, outcomeInWords, text } from './strings.ts'

/** Milliseconds between two looks at the log: what is sent by itself is no change that the server announces. */
const REFRESH = 2_000

interface Props {
  readonly webhookId: string
  readonly isDisabled: boolean
}

/** What was sent to a webhook, newest first. */
export function DeliveriesPanel({ webhookId, isDisabled }: Props) {
  const deliveries = useQuery(
    server.webhooks.deliveries.queryOptions(
      { id: webhookId },
      { refetchInterval: REFRESH, refetchOnMount: 'always' },
    ),
  )
  const { deliveryColumns: columns } = text
  const [shownId, setShownId] = useState<string>()
  const redeliver = useChange(serverClient.webhooks.redeliver.mutate, {
    done: () => text.redelivered,
    failed: () => text.redeliverFailed,
  })
  return (
    <Panel flush title={text.deliveries} aside={<Text c="dimmed">{text.latest}</Text>}>
      <Loaded query={deliveries}>
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed" p="md">
              {`${text.noDeliveries}. ${text.noDeliveriesHint}`}
            </Text>
          ) : (
            <DataTable
              label={text.deliveries}
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                { name: columns.event, cell: ({ type }) => eventName(type) },
                { name: columns.time, cell: ({ createdAt }) => <When at={createdAt} /> },
                { name: columns.status, cell: (delivery) => <Status delivery={delivery} /> },
                { name: columns.response, cell: ({ attempts }) => <Last attempts={attempts} /> },
                {
                  ...{ name: columns.actions, isUnnamed: true },
                  cell: ({ id, type }) => (
                    <Group gap="xs" justify="end" wrap="nowrap">
                      <SmallButton
                        aria-label={text.showLabel(eventName(type))}
                        onClick={() => setShownId(id)}
                      >
                        {text.show}
                      </SmallButton>
                      {!isDisabled && (
                        <SmallButton
                          aria-label={text.redeliverLabel(eventName(type))}
                          onClick={() => redeliver.send({ delivery: id })}
                        >
                          {text.redeliver}
                        </SmallButton>
                      )}
                    </Group>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <DeliveryDialog
        delivery={deliveries.data?.find(({ id }) => id === shownId)}
        onClose={() => setShownId(undefined)}
      />
    </Panel>
  )
}

function Status({ delivery }: { readonly delivery: DeliveryItem }) {
  const { state, tries, nextAt } = delivery
  return (
    <>
      <StatusBadge status={state} />
      {tries > 1 && <Small>{text.tries(tries)}</Small>}
      {nextAt !== null && tries > 0 && (
        <Small>
          {`${text.next} `}
          <When at={nextAt} />
        </Small>
      )}
    </>
  )
}

function Last({ attempts }: Pick<DeliveryItem, 'attempts'>) {
  const last = attempts.at(-1)
  if (last === undefined) return null
  return (
    <>
      {outcomeInWords(last)}
      <Small>{text.duration(last.milliseconds)}</Small>
    </>
  )
}
