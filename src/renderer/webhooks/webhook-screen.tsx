import { Stack, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type WebhookItem, webhookStatus } from '../../shared/console/webhooks.ts'
import { EventType } from '../../shared/events/webhook.ts'
import { formatList } from '../../shared/wording/format.ts'
import { server } from '../bridge/clients.ts'
import { Notice, Panel } from '../components/blocks.tsx'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { Quiet, When } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { DISABLED_WORDS, EVENT_WORDS, FORMAT_WORDS, text } from './strings.ts'
import { WebhookActions } from './webhook-actions.tsx'

/** Milliseconds between two looks: what becomes of deliveries is no change that the server announces. */
const REFRESH = 5_000

const TRAIL = [{ name: text.title, to: paths.webhooks }]

/** One webhook: its settings, and what was sent. */
export function Component() {
  const { id } = useParams()
  const webhooks = useQuery(
    server.webhooks.list.queryOptions(undefined, {
      refetchInterval: REFRESH,
      refetchOnMount: 'always',
    }),
  )
  const webhook = webhooks.data?.find((each) => each.id === id)
  if (webhook !== undefined) return <Webhook webhook={webhook} />
  return (
    <>
      <PageHeader title={webhooks.data === undefined ? text.title : text.notFound} trail={TRAIL} />
      <Loaded query={webhooks}>
        {() => (
          <EmptyState
            icon={IconWebhook}
            title={text.notFound}
            link={{ to: paths.webhooks, name: text.showAll }}
            hint={text.notFoundHint}
          />
        )}
      </Loaded>
    </>
  )
}

function Webhook({ webhook }: { readonly webhook: WebhookItem }) {
  const { id, name, url, format, events, app, disabled, dropped } = webhook
  const { failingSince, previousSecretUntil } = webhook
  const isAll = events.length === EventType.options.length
  return (
    <>
      <PageHeader
        title={name}
        trail={TRAIL}
        description={<StatusBadge status={webhookStatus(webhook)} />}
        actions={<WebhookActions webhook={webhook} />}
      />
      {disabled !== null && (
        <Notice mb="md">
          {`${DISABLED_WORDS[disabled.by]} ${text.disabledSince} `}
          <When at={disabled.at} />.
        </Notice>
      )}
      {disabled === null && failingSince !== null && (
        <Notice mb="md">
          {`${text.failingSince} `}
          <When at={failingSince} />.
        </Notice>
      )}
      {dropped > 0 && <Notice mb="md">{text.dropped(dropped)}</Notice>}
      <Stack gap="lg">
        <Panel title={text.details}>
          <Text size="sm" className="wraps">
            {url}
          </Text>
          <Quiet>
            {`${FORMAT_WORDS[format]} · ${app === null ? text.allApps : text.app(app)}`}
          </Quiet>
          <Quiet>
            {isAll ? text.allEvents : formatList(events.map((type) => EVENT_WORDS[type]))}
          </Quiet>
          {previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now() && (
            <Quiet>
              {`${text.bothSecrets} `}
              <When at={previousSecretUntil} />
            </Quiet>
          )}
        </Panel>
        <DeliveriesPanel webhookId={id} isDisabled={disabled !== null} />
      </Stack>
    </>
  )
}
