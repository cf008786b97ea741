import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChannelName } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { Dialog } from '../components/dialog.tsx'
import { DialogForm } from '../components/dialog-form.tsx'
import { faultOf } from '../components/fault.ts'
import { useChange } from '../components/use-change.ts'

interface Props {
  readonly app: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for a name and creates a channel. */
export function CreateChannelDialog({ app, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create a channel">
      <CreateChannelForm app={app} onClose={onClose} />
    </Dialog>
  )
}

function CreateChannelForm({ app, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState('')
  const create = useChange(serverClient.channels.create.mutate, {
    done: (_, channel) => `Channel ${channel.name} was created.`,
    failed: (channel) => `Channel ${channel.name} was not created`,
    onDone: onClose,
  })
  const fault = faultOf(ChannelName, name, 'The name')
  return (
    <DialogForm
      action="Create channel"
      change={create}
      valid={fault === undefined}
      onSubmit={() => create.send({ app, name })}
    >
      {(tried) => (
        <TextInput
          label="Name"
          description="Part of the update address, such as beta; it cannot be changed."
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={(tried || name !== '') && fault}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}
