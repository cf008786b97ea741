import { Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppDetail, ConnectSnippets } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Loading } from '../components/loading.tsx'
import { Panel } from '../components/panel.tsx'

/** Texts to copy that make an app ask this server for updates. */
export function ConnectPanel({ app }: { readonly app: AppDetail }) {
  const [chosen, setChannel] = useState<string>()
  const names = app.channels.map(({ name }) => name)
  const channel = chosen !== undefined && names.includes(chosen) ? chosen : names[0]
  return (
    <Panel title={`Connect ${app.name}`}>
      {channel === undefined ? (
        <Text c="dimmed">Create a channel first; the update address contains its name.</Text>
      ) : (
        <Snippets
          key={channel}
          app={app.ref}
          channel={channel}
          channels={names}
          onChannel={setChannel}
        />
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
  const connect = useQuery(server.apps.connect.queryOptions({ app, channel }))
  const [chosen, setAddress] = useState<string>()
  return (
    <Loaded query={connect} loading={<Loading rows={3} height={120} />}>
      {({ addresses, snippets }) => {
        const network = addresses.find(({ reach }) => reach === 'network') ?? addresses[0]
        const address = addresses.find(({ url }) => url === chosen)?.url ?? network?.url ?? null
        return (
          <Stack>
            <Group align="end">
              <Select
                label="Channel"
                data={[...channels]}
                value={channel}
                onChange={(name) => name !== null && onChannel(name)}
                allowDeselect={false}
                w={160}
              />
              <Select
                label="Address of this server"
                data={addresses.map(describe)}
                value={address}
                onChange={(url) => setAddress(url ?? undefined)}
                allowDeselect={false}
                w={360}
              />
            </Group>
            {snippets
              .filter((snippet) => snippet.address === address)
              .map(({ title, text }) => (
                <CodeBlock key={title} title={title} text={text} />
              ))}
          </Stack>
        )
      }}
    </Loaded>
  )
}

function describe({ url, reach }: ConnectSnippets['addresses'][number]) {
  return { value: url, label: reach === 'network' ? url : `${url} (this machine alone)` }
}
