import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { formatCounted } from '../components/format.ts'
import { paths } from '../paths.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Deletes an app with all that belongs to it, after its reference was typed. */
export function DeleteAppDialog({ app, opened, onClose }: Props) {
  const navigate = useNavigate()
  const remove = useMutation(
    server.apps.remove.mutationOptions({
      onSuccess: async () => {
        onClose()
        await navigate(paths.apps)
        announce(`${app.name} was deleted.`)
        await queryClient.invalidateQueries()
      },
    }),
  )
  const releases = app.channels.reduce((sum, channel) => sum + channel.releases, 0)
  const served = app.channels.reduce((sum, channel) => sum + channel.served, 0)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${app.name}`}
      action={`Delete ${app.ref}`}
      typed={app.ref}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ ref: app.ref, confirmation: app.ref })}
    >
      {`${formatCounted(app.channels.length, 'channel')}, ${formatCounted(releases, 'release')} and what is known of ${formatCounted(app.devices, 'device')} will be deleted. The audit log is kept. This cannot be undone.`}
      {!app.archived && served > 0 && (
        <Text size="sm" mt="xs">
          {`It serves ${formatCounted(served, 'release')} now, so it has to be archived first.`}
        </Text>
      )}
    </ConfirmDialog>
  )
}
