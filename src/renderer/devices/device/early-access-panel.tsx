import { Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { useAccess } from '../../bridge/access.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ErrorNotice, Panel, SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Toned } from '../../components/text/words.tsx'
import { earlyAccessText as text } from '../strings.ts'

/** Whether the device has early access on its channel, and the way to change that. */
export function EarlyAccessPanel({ device }: { readonly device: DeviceDetail }) {
  const { app, deviceId, channel, earlyAccess } = device
  const access = useAccess()
  const change = useChange(serverClient.channels.setEarlyAccess.mutate, {
    done: (_, input) =>
      input.earlyAccess ? text.added(channel ?? '') : text.removed(channel ?? ''),
    failed: text.notChanged(deviceId),
  })
  if (channel === null || earlyAccess === null) return null
  const { by, requiresApproval } = earlyAccess
  const mayChange = access.may(requiresApproval ? 'administrator' : 'release_manager', app)
  const isListed = by === 'device_id'
  return (
    <Panel title={text.title}>
      <Stack gap="sm" align="start">
        {by === null ? (
          <Text c="dimmed">{text.none(channel)}</Text>
        ) : (
          <Toned isPlain tone="good" icon={IconCircleCheck} size={16} gap={8}>
            <span className="wraps">{text.by[by](channel)}</span>
          </Toned>
        )}
        {mayChange && by !== 'targets' && (
          <SmallButton
            loading={change.isPending}
            onClick={() => change.send({ app, channel, deviceId, earlyAccess: !isListed })}
          >
            {isListed ? text.remove : text.add}
          </SmallButton>
        )}
        <ErrorNotice error={change.error} />
      </Stack>
    </Panel>
  )
}
