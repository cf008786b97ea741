import { Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { AppRef, MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { DialogButtons } from '../components/dialog-buttons.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { paths } from '../paths.ts'
import { refFromName } from './ref-from-name.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for a name and a reference, creates the app, and opens its screen. */
export function CreateAppDialog({ opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create an app" centered>
      <CreateAppForm onClose={onClose} />
    </Modal>
  )
}

function CreateAppForm({ onClose }: Pick<Props, 'onClose'>) {
  const [name, setName] = useState('')
  const [typedRef, setTypedRef] = useState<string>()
  const navigate = useNavigate()
  const create = useMutation(
    server.apps.create.mutationOptions({
      onSuccess: async (app) => {
        await queryClient.invalidateQueries()
        announce(`${app.name} was created.`)
        onClose()
        await navigate(paths.app(app.ref))
      },
    }),
  )
  const ref = typedRef ?? refFromName(name)
  const checked = AppRef.safeParse(ref)
  const issue = ref !== '' && !checked.success ? checked.error.issues[0]?.message : undefined
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate({ ref, name: name.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="For people; it can be changed later."
          required
          maxLength={MAX_DISPLAY_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Reference"
          description="Part of the update address; it cannot be changed."
          required
          value={ref}
          onChange={(event) => setTypedRef(event.currentTarget.value)}
          error={issue && `The reference ${issue}.`}
          autoComplete="off"
          spellCheck={false}
        />
        <ErrorNotice error={create.error} />
        <DialogButtons
          action="Create app"
          pending={create.isPending}
          disabled={name.trim() === '' || !checked.success}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
