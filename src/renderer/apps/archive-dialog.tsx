import type { AppDetail } from '../../shared/console/apps.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { text } from './strings.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Takes an app out of service, or back into it. */
export function ArchiveDialog({ app, opened, onClose }: Props) {
  const change = useChange(serverClient.apps.setArchived.mutate, {
    done: (_, { archived }) => stringsOf(!archived).done(app.name),
    failed: ({ archived }) => stringsOf(!archived).failed(app.name),
    onDone: onClose,
  })
  const step = stringsOf(app.archived)
  const served = app.channels.reduce((sum, channel) => sum + channel.served, 0)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={step.title(app.name)}
      action={step.action}
      destructive={!app.archived}
      change={change}
      onConfirm={() => change.send({ ref: app.ref, archived: !app.archived })}
    >
      {step.effect(app.devices, served)}
    </ConfirmDialog>
  )
}

function stringsOf(restores: boolean) {
  return restores ? text.restoreApp : text.archiveApp
}
