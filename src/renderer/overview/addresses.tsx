import { Group, Stack, Text } from '@mantine/core'
import { IconDeviceDesktop, IconNetwork } from '@tabler/icons-react'
import type { Overview } from '../../shared/console/overview.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Panel } from '../components/panel.tsx'

/** Where apps reach this server. */
export function Addresses({ addresses }: Pick<Overview, 'addresses'>) {
  return (
    <Panel title="Addresses of this server">
      <Stack gap={4}>
        {addresses.map(({ url, reach }) => {
          const Icon = reach === 'network' ? IconNetwork : IconDeviceDesktop
          return (
            <Group key={url} gap="xs" mih={28}>
              <Icon size={16} color="var(--tidegate-quiet)" aria-hidden="true" />
              <Text ff="monospace" size="sm">
                {url}
              </Text>
              <CopyButton text={url} what={`the address ${url}`} />
              <Text size="sm" c="dimmed">
                {reach === 'network' ? 'for devices on the network' : 'for this machine alone'}
              </Text>
            </Group>
          )
        })}
      </Stack>
    </Panel>
  )
}
