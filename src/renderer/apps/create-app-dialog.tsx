import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { AppRef, MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { Dialog } from '../components/dialog.tsx'
import { DialogForm } from '../components/dialog-form.tsx'
import { faultOf } from '../components/fault.ts'
import { useChange } from '../components/use-change.ts'
import { paths } from '../paths.ts'
import { refFromName } from './ref-from-name.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for a name and a reference, creates the app, and opens its screen. */
export function CreateAppDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create an app">
      <CreateAppForm onClose={onClose} />
    </Dialog>
  )
}

function CreateAppForm({ onClose }: Pick<Props, 'onClose'>) {
  const [name, setName] = useState('')
  const [typedRef, setTypedRef] = useState<string>()
  const navigate = useNavigate()
  const create = useChange(serverClient.apps.create.mutate, {
    done: (app) => `${app.name} was created.`,
    failed: (app) => `${app.name} was not created`,
    onDone: (app) => {
      onClose()
      void navigate(paths.app(app.ref))
    },
  })
  const ref = typedRef ?? refFromName(name)
  const refFault = faultOf(AppRef, ref, 'The reference')
  return (
    <DialogForm
      action="Create app"
      change={create}
      valid={name.trim() !== '' && refFault === undefined}
      onSubmit={() => create.send({ ref, name: name.trim() })}
    >
      {(tried) => (
        <>
          <TextInput
            label="Name"
            description="For people; it can be changed later."
            required
            maxLength={MAX_DISPLAY_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && name.trim() === '' && 'Required'}
            data-autofocus
          />
          <TextInput
            label="Reference"
            description="Part of the update address; it cannot be changed."
            required
            value={ref}
            onChange={(event) => setTypedRef(event.currentTarget.value)}
            error={(tried || ref !== '') && refFault}
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
    </DialogForm>
  )
}
