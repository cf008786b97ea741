import { Group, List, Select, Stack, Tabs, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppDetail, ConnectSnippets } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { Panel } from '../components/blocks.tsx'
import { nameChoices, SearchableSelect } from '../components/list/searchable-select.tsx'
import { Loaded, Loading, StillLoading } from '../components/loading/loading.tsx'
import { CodeBlock } from '../components/text/copy-button.tsx'
import { SNIPPET_TITLES, TABS } from './connect-strings.ts'
import { text as strings } from './strings.ts'

const text = strings.connect

/** Code to copy that makes an app ask this server for updates. */
export function ConnectPanel({ app }: { readonly app: AppDetail }) {
  const [chosen, setChannel] = useState<string>()
  const names = app.channels.map(({ name }) => name)
  const channel = chosen !== undefined && names.includes(chosen) ? chosen : names[0]
  return (
    <Panel title={text.title(app.name)}>
      {channel === undefined ? (
        <Text c="dimmed">{text.noChannel}</Text>
      ) : (
        <Snippets app={app.ref} channel={channel} channels={names} onChannel={setChannel} />
      )}
    </Panel>
  )
}

interface Props {
  readonly app: string
  readonly channel: string
  readonly channels: readonly string[]
  readonly onChannel: (name: string) => void
}

function Snippets({ app, channel, channels, onChannel }: Props) {
  const connect = useQuery({
    ...server.apps.connect.queryOptions({ app, channel }),
    // Every channel has the same addresses.
    placeholderData: keepPreviousData,
  })
  const [chosen, setAddress] = useState<string>()
  const addresses = connect.data?.addresses ?? []
  const network = addresses.find(({ reach }) => reach === 'network') ?? addresses[0]
  const address = addresses.find(({ url }) => url === chosen)?.url ?? network?.url ?? null
  const loading = <Loading rows={3} height={120} />
  return (
    <Stack>
      <Group align="end">
        <SearchableSelect
          w={160}
          label={text.channel}
          value={channel}
          choices={nameChoices(channels)}
          onChange={onChannel}
        />
        {address !== null && (
          <Select
            label={text.address}
            data={addresses.map(describe)}
            value={address}
            onChange={(url) => setAddress(url ?? undefined)}
            allowDeselect={false}
            w={360}
          />
        )}
      </Group>
      <Loaded query={connect} loading={loading}>
        {({ snippets }) =>
          connect.isPlaceholderData ? (
            <>
              {loading}
              <StillLoading />
            </>
          ) : (
            <Code snippets={snippets.filter((snippet) => snippet.address === address)} />
          )
        }
      </Loaded>
    </Stack>
  )
}

function Code({ snippets }: { readonly snippets: ConnectSnippets['snippets'] }) {
  const isInsecure = snippets.some(({ address }) => address.startsWith('http:'))
  return (
    <Tabs defaultValue={TABS[0]?.id ?? null} keepMounted={false}>
      <Tabs.List>
        {TABS.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map(({ id: tab, hints, insecure, snippets: ids }) => (
        <Tabs.Panel key={tab} value={tab} pt="md">
          <Stack>
            <List size="sm" c="dimmed">
              {[...hints, ...(isInsecure && insecure !== undefined ? [insecure] : [])].map(
                (hint) => (
                  <List.Item key={hint}>{hint}</List.Item>
                ),
              )}
            </List>
            {ids.map((id) => (
              <CodeBlock
                key={id}
                title={SNIPPET_TITLES[id]}
                text={snippets.find((snippet) => snippet.id === id)?.text ?? ''}
              />
            ))}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function describe({ url, reach }: ConnectSnippets['addresses'][number]) {
  return { value: url, label: reach === 'network' ? url : text.localAddress(url) }
}
