import { useMutation } from '@tanstack/react-query'
import type { AppDetail } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { formatCounted } from '../components/format.ts'

interface Props {
  readonly app: string
  readonly channel: AppDetail['channels'][number]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Deletes a channel with its releases, after its name was typed. */
export function DeleteChannelDialog({ app, channel, opened, onClose }: Props) {
  const remove = useMutation(
    server.channels.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries()
        announce(`Channel ${channel.name} was deleted.`)
      },
    }),
  )
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete channel ${channel.name}`}
      action={`Delete ${channel.name}`}
      typed={channel.name}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ app, channel: channel.name, confirmation: channel.name })}
    >
      {`${formatCounted(channel.releases, 'release')} will be deleted with it, ${channel.served} of them served now. Devices on it will get no answer any more. This cannot be undone.`}
    </ConfirmDialog>
  )
}
