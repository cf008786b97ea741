import { Button, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryItem } from '../../shared/console/webhooks.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { Loaded } from '../components/loading/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
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
            <Table aria-label={text.deliveries}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{text.deliveryColumns.event}</Table.Th>
                  <Table.Th>{text.deliveryColumns.time}</Table.Th>
                  <Table.Th>{text.deliveryColumns.status}</Table.Th>
                  <Table.Th>{text.deliveryColumns.response}</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>{text.deliveryColumns.actions}</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    delivery={delivery}
                    onShow={() => setShownId(delivery.id)}
                    onRedeliver={
                      isDisabled ? undefined : () => redeliver.send({ delivery: delivery.id })
                    }
                  />
                ))}
              </Table.Tbody>
            </Table>
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

interface RowProps {
  readonly delivery: DeliveryItem
  readonly onShow: () => void
  readonly onRedeliver: (() => void) | undefined
}

function DeliveryRow({ delivery, onShow, onRedeliver }: RowProps) {
  const { type, createdAt, state, attempts, tries, nextAt } = delivery
  const last = attempts.at(-1)
  return (
    <Table.Tr>
      <Table.Td>{eventName(type)}</Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={state} />
        {tries > 1 && (
          <Text size="xs" c="dimmed">
            {text.tries(tries)}
          </Text>
        )}
        {nextAt !== null && tries > 0 && (
          <Text size="xs" c="dimmed">
            {`${text.next} `}
            <When at={nextAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {last !== undefined && (
          <>
            {outcomeInWords(last)}
            <Text size="xs" c="dimmed">
              {text.duration(last.milliseconds)}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="end" wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            aria-label={text.showLabel(eventName(type))}
            onClick={onShow}
          >
            {text.show}
          </Button>
          {onRedeliver !== undefined && (
            <Button
              variant="default"
              size="xs"
              aria-label={text.redeliverLabel(eventName(type))}
              onClick={onRedeliver}
            >
              {text.redeliver}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
