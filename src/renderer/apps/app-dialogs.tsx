import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ChangeDialog, ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'

interface Props extends DialogProps {
  readonly app: AppDetail
}

/** Gives an app another name; its reference stays. */
export function RenameDialog({ app, ...dialog }: Props) {
  return (
    <Dialog {...dialog} title={text.renameApp.title(app.name)}>
      <RenameForm app={app} onClose={dialog.onClose} />
    </Dialog>
  )
}

function RenameForm({ app, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState(app.name)
  const rename = useChange(serverClient.apps.rename.mutate, {
    done: (_, renamed) => text.renameApp.done(renamed.name),
    failed: (renamed) => text.renameApp.failed(app.name, renamed.name),
    onDone: onClose,
  })
  const isEmpty = name.trim() === ''
  return (
    <DialogForm
      action={text.renameApp.action}
      change={rename}
      valid={!isEmpty}
      onSubmit={() => rename.send({ ref: app.ref, name: name.trim() })}
    >
      <TextInput
        label={text.name}
        required
        maxLength={MAX_DISPLAY_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isEmpty && text.required}
        data-autofocus
      />
    </DialogForm>
  )
}

/** Takes an app out of service, or back into it. */
export function ArchiveDialog({ app, opened, onClose }: Props) {
  const change = useChange(serverClient.apps.setArchived.mutate, {
    done: (_, { archived }) => stringsOf(!archived).done(app.name),
    failed: ({ archived }) => stringsOf(!archived).failed(app.name),
    onDone: onClose,
  })
  const step = stringsOf(app.archived)
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
      {step.effect(app.devices, sumOf(app, 'served'))}
    </ConfirmDialog>
  )
}

function stringsOf(restores: boolean) {
  return restores ? text.restoreApp : text.archiveApp
}

/** Deletes an app with all that belongs to it, after its reference was typed. */
export function DeleteAppDialog({ app, ...dialog }: Props) {
  const { ref, name, archived, channels, devices } = app
  const navigate = useNavigate()
  const served = sumOf(app, 'served')
  return (
    <ChangeDialog
      {...dialog}
      title={text.deleteApp.title(name)}
      action={text.deleteApp.action(ref)}
      typed={ref}
      send={() => serverClient.apps.remove.mutate({ ref, confirmation: ref })}
      done={text.deleteApp.done(name)}
      failed={text.deleteApp.failed(name)}
      onAnswer={() => void navigate(paths.apps)}
    >
      {text.deleteApp.effect(channels.length, sumOf(app, 'releases'), devices)}
      {!archived && served > 0 && (
        <Text size="sm" mt="xs">
          {text.deleteApp.archiveFirst(served)}
        </Text>
      )}
    </ChangeDialog>
  )
}

function sumOf({ channels }: AppDetail, what: 'served' | 'releases'): number {
  return channels.reduce((sum, channel) => sum + channel[what], 0)
}
