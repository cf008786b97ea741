import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChannelName } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { duplicateFault, faultOf } from '../components/change/fault.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { text } from './strings.ts'

interface Props {
  readonly app: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for a name and creates a channel. */
export function CreateChannelDialog({ app, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.createChannel.title}>
      <CreateChannelForm app={app} onClose={onClose} />
    </Dialog>
  )
}

function CreateChannelForm({ app, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState('')
  const create = useChange(serverClient.channels.create.mutate, {
    done: (_, channel) => text.createChannel.done(channel.name),
    failed: (channel) => text.createChannel.failed(channel.name),
    onDone: onClose,
  })
  const fault = faultOf(ChannelName, name, text.createChannel.subject)
  const duplicate = duplicateFault(create.error)
  return (
    <DialogForm
      action={text.createChannel.action}
      change={create}
      isFieldError={duplicate !== undefined}
      valid={fault === undefined}
      onSubmit={() => create.send({ app, name })}
    >
      {(tried) => (
        <TextInput
          label={text.name}
          description={text.createChannel.hint}
          required
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            create.reset()
          }}
          error={duplicate ?? ((tried || name !== '') && fault)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}
