import { useMutation } from '@tanstack/react-query'
import type { AppDetail } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { formatCounted } from '../components/format.ts'
import { useLast } from '../components/use-last.ts'

interface Props {
  readonly app: string
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
  return (
    <ConfirmDialog
      opened={chosen !== undefined}
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
