import { Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { DialogButtons } from '../components/dialog-buttons.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'

interface Props {
  readonly app: AppDetail
  readonly opened: boolean
  readonly onClose: () => void
}

/** Gives an app another name; its reference stays. */
export function RenameDialog({ app, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename ${app.name}`} centered>
      <RenameForm app={app} onClose={onClose} />
    </Modal>
  )
}

function RenameForm({ app, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState(app.name)
  const rename = useMutation(
    server.apps.rename.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries()
        announce(`The app is called ${name.trim()} now.`)
        onClose()
      },
    }),
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate({ ref: app.ref, name: name.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={MAX_DISPLAY_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <ErrorNotice error={rename.error} />
        <DialogButtons
          action="Rename"
          pending={rename.isPending}
          disabled={name.trim() === ''}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
