import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type WebhookItem, webhookStatus } from '../../shared/console/webhooks.ts'
import { EventType } from '../../shared/events/webhook.ts'
import { server } from '../bridge/clients.ts'
import { Panel } from '../components/blocks.tsx'
import { DataTable } from '../components/list/data-table.tsx'
import { ListScreen } from '../components/list/list-screen.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { Small, TextLink } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'
import { CreateWebhookDialog } from './webhook-form.tsx'

/** Where this server sends its events. */
export function Component() {
  const webhooks = useQuery(
    server.webhooks.list.queryOptions(undefined, { refetchOnMount: 'always' }),
  )
  return (
    <ListScreen
      title={text.title}
      description={text.description}
      query={webhooks}
      create={text.create}
      dialog={CreateWebhookDialog}
      empty={{ icon: IconWebhook, title: text.empty, hint: text.emptyHint }}
    >
      {(list) => <WebhookTable webhooks={list} />}
    </ListScreen>
  )
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly WebhookItem[] }) {
  const { columns } = text
  return (
    <Panel flush title={text.list}>
      <DataTable
        label={text.list}
        rows={webhooks}
        keyOf={({ id }) => id}
        columns={[
          {
            name: columns.name,
            cell: ({ id, name, url }) => (
              <>
                <TextLink to={paths.webhook(id)}>{name}</TextLink>
                <Small className="wraps">{url}</Small>
              </>
            ),
          },
          {
            name: columns.events,
            cell: ({ events, app }) => (
              <>
                {events.length === EventType.options.length
                  ? text.allEvents
                  : text.events(events.length)}
                <Small>{app === null ? text.allApps : text.app(app)}</Small>
              </>
            ),
          },
          {
            name: columns.status,
            cell: (webhook) => <StatusBadge status={webhookStatus(webhook)} />,
          },
          { name: columns.waiting, ta: 'end', cell: ({ pending }) => text.pending(pending) },
        ]}
      />
    </Panel>
  )
}
