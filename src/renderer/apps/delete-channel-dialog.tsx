import { Text } from '@mantine/core'
import type { AppDetail } from '../../shared/console/apps.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { useLast } from '../components/dialog/dialog.tsx'
import { text } from './strings.ts'

interface Props {
  readonly app: AppDetail
  /** The channel in question; the dialog is closed without. */
  readonly channel: AppDetail['channels'][number] | undefined
  readonly onClose: () => void
}

/** Deletes a channel with its releases, after its name was typed. */
export function DeleteChannelDialog({ app, channel: chosen, onClose }: Props) {
  const channel = useLast(chosen)
  const remove = useChange(serverClient.channels.remove.mutate, {
    done: (_, { channel: name }) => text.deleteChannel.done(name),
    failed: ({ channel: name }) => text.deleteChannel.failed(name),
    onDone: onClose,
  })
  if (channel === undefined) return null
  const obstacle = obstacleOf(app, channel)
  return (
    <ConfirmDialog
      opened={chosen !== undefined}
      onClose={onClose}
      title={text.deleteChannel.title(channel.name)}
      action={text.deleteChannel.action(channel.name)}
      typed={channel.name}
      change={remove}
      onConfirm={() =>
        remove.send({ app: app.ref, channel: channel.name, confirmation: channel.name })
      }
    >
      {text.deleteChannel.effect(channel.releases)}
      {obstacle !== undefined && (
        <Text size="sm" mt="xs">
          {obstacle}
        </Text>
      )}
    </ConfirmDialog>
  )
}

/** What the server will refuse it for, as far as it is known here. */
function obstacleOf(
  { archived, channels }: AppDetail,
  { served }: AppDetail['channels'][number],
): string | undefined {
  if (channels.length === 1) return text.deleteChannel.onlyChannel
  if (archived || served === 0) return undefined
  return text.deleteChannel.served(served)
}
