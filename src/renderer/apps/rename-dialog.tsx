import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { text } from './strings.ts'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Gives an app another name; its reference stays. */
export function RenameDialog({ app, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.renameApp.title(app.name)}>
      <RenameForm app={app} onClose={onClose} />
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
