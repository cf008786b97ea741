import { Group, Stack, Text } from '@mantine/core'
import { IconDeviceDesktop, IconNetwork } from '@tabler/icons-react'
import { memo } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import { Panel } from '../components/panel.tsx'
import { CopyButton } from '../components/text/copy-button.tsx'
import { REACH_NAMES, text } from './strings.ts'

/** Where apps reach this server. */
export const Addresses = memo(function Addresses({ addresses }: Pick<Overview, 'addresses'>) {
  return (
    <Panel title={text.addresses.title}>
      <Stack gap={4}>
        {addresses.map(({ url, reach }) => {
          const Icon = reach === 'network' ? IconNetwork : IconDeviceDesktop
          return (
            <Group key={url} gap="xs" mih={28}>
              <Icon size={16} color="var(--tidegate-quiet)" aria-hidden="true" />
              <Text ff="monospace" size="sm">
                {url}
              </Text>
              <CopyButton text={url} what={text.addresses.copy(url)} />
              <Text size="sm" c="dimmed">
                {REACH_NAMES[reach]}
              </Text>
            </Group>
          )
        })}
      </Stack>
    </Panel>
  )
})
