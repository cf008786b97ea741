import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCounted } from '../../shared/wording/format.ts'
import { serverClient } from '../bridge/clients.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useChange } from '../components/use-change.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Takes an app out of service, or back into it. */
export function ArchiveDialog({ app, opened, onClose }: Props) {
  const change = useChange(serverClient.apps.setArchived.mutate, {
    done: (_, { archived }) => `${app.name} was ${archived ? 'archived' : 'restored'}.`,
    failed: ({ archived }) => `${app.name} was not ${archived ? 'archived' : 'restored'}`,
    onDone: onClose,
  })
  const served = app.channels.reduce((sum, channel) => sum + channel.served, 0)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={app.archived ? `Restore ${app.name}` : `Archive ${app.name}`}
      action={app.archived ? 'Restore' : 'Archive'}
      destructive={!app.archived}
      change={change}
      onConfirm={() => change.send({ ref: app.ref, archived: !app.archived })}
    >
      {app.archived
        ? `${formatCounted(app.devices, 'device')} will be answered again, with ${formatCounted(served, 'published release')}.`
        : `${formatCounted(app.devices, 'device')} will get no answer any more, and ${formatCounted(served, 'published release')} will not be served. Nothing is deleted; the app can be restored.`}
    </ConfirmDialog>
  )
}
