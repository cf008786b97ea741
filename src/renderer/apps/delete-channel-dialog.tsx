import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AppDetail } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { formatCounted } from '../components/format.ts'
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
  const remove = useMutation(
    server.channels.remove.mutationOptions({
      onSuccess: async (_, { channel: name }) => {
        await queryClient.invalidateQueries()
        announce(`Channel ${name} was deleted.`)
        onClose()
      },
    }),
  )
  if (channel === undefined) return null
  const obstacle = obstacleOf(app, channel)
  return (
    <ConfirmDialog
      opened={chosen !== undefined}
      onClose={onClose}
      title={`Delete channel ${channel.name}`}
      action={`Delete ${channel.name}`}
      typed={channel.name}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate({ app: app.ref, channel: channel.name, confirmation: channel.name })
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
