import { Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCounted } from '../../shared/wording/format.ts'
import { serverClient } from '../bridge/clients.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useChange } from '../components/use-change.ts'
import { paths } from '../paths.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Deletes an app with all that belongs to it, after its reference was typed. */
export function DeleteAppDialog({ app, opened, onClose }: Props) {
  const navigate = useNavigate()
  const remove = useChange(serverClient.apps.remove.mutate, {
    done: () => `${app.name} was deleted.`,
    failed: () => `${app.name} was not deleted`,
    onAnswer: () => void navigate(paths.apps),
  })
  const releases = app.channels.reduce((sum, channel) => sum + channel.releases, 0)
  const served = app.channels.reduce((sum, channel) => sum + channel.served, 0)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${app.name}`}
      action={`Delete ${app.ref}`}
      typed={app.ref}
      change={remove}
      onConfirm={() => remove.send({ ref: app.ref, confirmation: app.ref })}
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
