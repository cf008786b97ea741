import { Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { ChannelName } from '../../shared/names.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { DialogButtons } from '../components/dialog-buttons.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'

interface Props {
  readonly app: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for a name and creates a channel. */
export function CreateChannelDialog({ app, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create a channel" centered>
      <CreateChannelForm app={app} onClose={onClose} />
    </Modal>
  )
}

function CreateChannelForm({ app, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState('')
  const create = useMutation(
    server.channels.create.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries()
        announce(`Channel ${name} was created.`)
        onClose()
      },
    }),
  )
  const checked = ChannelName.safeParse(name)
  const issue = name !== '' && !checked.success ? checked.error.issues[0]?.message : undefined
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate({ app, name })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="Part of the update address, such as beta; it cannot be changed."
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={issue && `The name ${issue}.`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <ErrorNotice error={create.error} />
        <DialogButtons
          action="Create channel"
          pending={create.isPending}
          disabled={!checked.success}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
