import { Button, Table, Text } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type WebhookItem, webhookStatus } from '../../shared/console/webhooks.ts'
import { EventType } from '../../shared/webhook.ts'
import { server } from '../bridge/clients.ts'
import { useNewDialog } from '../components/dialog/use-new-dialog.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { paths } from '../paths.ts'
import { CreateWebhookDialog } from './create-webhook-dialog.tsx'
import { text } from './strings.ts'
import classes from './webhooks.module.css'

/** Where this server sends its events. */
export function WebhooksScreen() {
  const webhooks = useQuery(
    server.webhooks.list.queryOptions(undefined, { refetchOnMount: 'always' }),
  )
  const [creating, setCreating] = useNewDialog()
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={(webhooks.data?.length ?? 0) > 0 && create}
      />
      <Loaded query={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconWebhook} title={text.empty} action={create}>
              {text.emptyHint}
            </EmptyState>
          ) : (
            <WebhookTable webhooks={list} />
          )
        }
      </Loaded>
      <CreateWebhookDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  )
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly WebhookItem[] }) {
  return (
    <Panel flush title={text.list}>
      <Table aria-label={text.list}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.name}</Table.Th>
            <Table.Th>{text.columns.events}</Table.Th>
            <Table.Th>{text.columns.status}</Table.Th>
            <Table.Th ta="end">{text.columns.waiting}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {webhooks.map((webhook) => (
            <Table.Tr key={webhook.id}>
              <Table.Td>
                <Link className="link" to={paths.webhook(webhook.id)}>
                  {webhook.name}
                </Link>
                <Text size="xs" c="dimmed" className={classes.url}>
                  {webhook.url}
                </Text>
              </Table.Td>
              <Table.Td>
                {webhook.events.length === EventType.options.length
                  ? text.allEvents
                  : text.events(webhook.events.length)}
                <Text size="xs" c="dimmed">
                  {webhook.app === null ? text.allApps : text.app(webhook.app)}
                </Text>
              </Table.Td>
              <Table.Td>
                <StatusBadge status={webhookStatus(webhook)} />
              </Table.Td>
              <Table.Td ta="end">{text.pending(webhook.pending)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}
