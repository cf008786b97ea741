import { Text } from '@mantine/core'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCounted } from '../../shared/wording/format.ts'
import { serverClient } from '../bridge/clients.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useChange } from '../components/use-change.ts'
import { useLast } from '../components/use-last.ts'

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
    done: (_, { channel: name }) => `Channel ${name} was deleted.`,
    failed: ({ channel: name }) => `Channel ${name} was not deleted`,
    onDone: onClose,
  })
  if (channel === undefined) return null
  const obstacle = obstacleOf(app, channel)
  return (
    <ConfirmDialog
      opened={chosen !== undefined}
      onClose={onClose}
      title={`Delete channel ${channel.name}`}
      action={`Delete ${channel.name}`}
      typed={channel.name}
      change={remove}
      onConfirm={() =>
        remove.send({ app: app.ref, channel: channel.name, confirmation: channel.name })
      }
    >
      {`${formatCounted(channel.releases, 'release')} will be deleted with it. Devices on it will get no answer any more. This cannot be undone.`}
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
  if (channels.length === 1) return 'It is the only channel, and an app keeps at least one.'
  if (archived || served === 0) return undefined
  return `It serves ${formatCounted(served, 'release')} now, so they have to be rolled back first, or the app archived.`
}
