import { useMutation } from '@tanstack/react-query'
import type { AppDetail } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { formatCounted } from '../components/format.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Takes an app out of service, or back into it. */
export function ArchiveDialog({ app, opened, onClose }: Props) {
  const change = useMutation(
    server.apps.setArchived.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries()
        announce(app.archived ? `${app.name} is served again.` : `${app.name} is archived.`)
        onClose()
      },
    }),
  )
  const served = app.channels.reduce((sum, channel) => sum + channel.served, 0)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={app.archived ? `Restore ${app.name}` : `Archive ${app.name}`}
      action={app.archived ? 'Restore' : 'Archive'}
      destructive={!app.archived}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ ref: app.ref, archived: !app.archived })}
    >
      {app.archived
        ? `${formatCounted(app.devices, 'device')} will be answered again, with ${formatCounted(served, 'published release')}.`
        : `${formatCounted(app.devices, 'device')} will get no answer any more, and ${formatCounted(served, 'published release')} will not be served. Nothing is deleted; the app can be restored.`}
    </ConfirmDialog>
  )
}
