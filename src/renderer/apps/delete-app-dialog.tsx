import { Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Deletes an app with all that belongs to it, after its reference was typed. */
export function DeleteAppDialog({ app, opened, onClose }: Props) {
  const navigate = useNavigate()
  const remove = useChange(serverClient.apps.remove.mutate, {
    done: () => text.deleteApp.done(app.name),
    failed: () => text.deleteApp.failed(app.name),
    onAnswer: () => void navigate(paths.apps),
  })
  const releases = app.channels.reduce((sum, channel) => sum + channel.releases, 0)
  const served = app.channels.reduce((sum, channel) => sum + channel.served, 0)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={text.deleteApp.title(app.name)}
      action={text.deleteApp.action(app.ref)}
      typed={app.ref}
      change={remove}
      onConfirm={() => remove.send({ ref: app.ref, confirmation: app.ref })}
    >
      {text.deleteApp.effect(app.channels.length, releases, app.devices)}
      {!app.archived && served > 0 && (
        <Text size="sm" mt="xs">
          {text.deleteApp.archiveFirst(served)}
        </Text>
      )}
    </ConfirmDialog>
  )
}
