import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryItem } from '../../shared/console/webhooks.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { Panel, SmallButton } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, useLast } from '../components/dialog/dialog.tsx'
import { DataTable } from '../components/list/data-table.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { CodeBlock } from '../components/text/copy-button.tsx'
import { Small, When } from '../components/text/words.tsx'
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
    done: text.redelivered,
    failed: text.redeliverFailed,
    announcesFailure: true,
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

interface DeliveryDialogProps {
  /** The delivery in question; the dialog is closed without. */
  readonly delivery: DeliveryItem | undefined
  readonly onClose: () => void
}

/** What was sent, and what came back at each attempt. */
function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  const shown = useLast(delivery)
  if (shown === undefined) return null
  const { attemptColumns: columns } = text
  return (
    <Dialog
      opened={delivery !== undefined}
      onClose={onClose}
      title={text.deliveryTitle(eventName(shown.type))}
      size="lg"
    >
      <Stack>
        {shown.attempts.length > 0 && (
          <DataTable
            label={text.attempts}
            rows={shown.attempts}
            keyOf={({ at }) => at}
            columns={[
              { name: columns.time, cell: ({ at }) => <When at={at} /> },
              { name: columns.outcome, cell: outcomeInWords },
              { name: columns.duration, cell: (attempt) => text.duration(attempt.milliseconds) },
              { name: columns.body, cell: ({ response }) => <Body>{response}</Body> },
            ]}
          />
        )}
        <CodeBlock title={text.payload} text={indented(shown.payload)} />
        <Group justify="end">
          <Button onClick={onClose}>{text.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Body({ children }: { readonly children: string }) {
  return <span style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{children}</span>
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}
