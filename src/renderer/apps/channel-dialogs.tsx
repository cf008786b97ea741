import { Text } from '@mantine/core'
import { useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { ChannelName } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { duplicateFault, faultOf } from '../components/change/fault.ts'
import { useChange } from '../components/change/use-change.ts'
import type { DialogProps } from '../components/dialog/dialog.tsx'
import { ChangeDialog, DialogForm } from '../components/dialog/dialog-form.tsx'
import { TextField } from '../components/text-fields.tsx'
import { text } from './strings.ts'

interface CreateProps extends Pick<DialogProps, 'onClose'> {
  readonly app: string
}

/** Asks for a name and creates a channel. */
export function CreateChannelForm({ app, onClose }: CreateProps) {
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
        <TextField
          label={text.name}
          description={text.createChannel.hint}
          required
          value={name}
          onChange={(typed) => {
            setName(typed)
            create.reset()
          }}
          error={duplicate ?? ((tried || name !== '') && fault)}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}

interface DeleteProps extends DialogProps {
  readonly app: AppDetail
  readonly channel: AppDetail['channels'][number]
}

/** Deletes a channel with its releases, after its name was typed. */
export function DeleteChannelDialog({ app, channel, ...dialog }: DeleteProps) {
  const { name, releases } = channel
  const obstacle = obstacleOf(app, channel)
  return (
    <ChangeDialog
      {...dialog}
      title={text.deleteChannel.title(name)}
      action={text.deleteChannel.action(name)}
      typed={name}
      send={() =>
        serverClient.channels.remove.mutate({ app: app.ref, channel: name, confirmation: name })
      }
      done={text.deleteChannel.done(name)}
      failed={text.deleteChannel.failed(name)}
    >
      {text.deleteChannel.effect(releases)}
      {obstacle !== undefined && (
        <Text size="sm" mt="xs">
          {obstacle}
        </Text>
      )}
    </ChangeDialog>
  )
}

/** What the server will refuse it for, as far as it is known here. */
function obstacleOf(
  { archived, channels }: AppDetail,
  { served }: AppDetail['channels'][number],
): string | undefined {
  if (channels.length === 1) return text.deleteChannel.onlyChannel
  if (archived || served === 0) return undefined
  return text.deleteChannel.served(served)
}
