import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { AppRef, MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { duplicateFault, faultOf } from '../components/change/fault.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { paths } from '../paths.ts'
import { refFromName } from './ref-from-name.ts'
import { text } from './strings.ts'

/** Asks for a name and a reference, creates the app, and opens its screen. */
export function CreateAppDialog(dialog: DialogProps) {
  return (
    <Dialog {...dialog} title={text.createApp.title}>
      <CreateAppForm onClose={dialog.onClose} />
    </Dialog>
  )
}

function CreateAppForm({ onClose }: Pick<DialogProps, 'onClose'>) {
  const [name, setName] = useState('')
  const [typedRef, setTypedRef] = useState<string>()
  const navigate = useNavigate()
  const create = useChange(serverClient.apps.create.mutate, {
    done: (app) => text.createApp.done(app.name),
    failed: (app) => text.createApp.failed(app.name),
    onDone: (app) => {
      onClose()
      void navigate(paths.app(app.ref))
    },
  })
  const ref = typedRef ?? refFromName(name)
  const refFault = faultOf(AppRef, ref, text.createApp.referenceSubject)
  const duplicate = duplicateFault(create.error)
  const isUnnamable = typedRef === undefined && name.trim() !== '' && ref === ''
  return (
    <DialogForm
      action={text.createApp.action}
      change={create}
      isFieldError={duplicate !== undefined}
      valid={name.trim() !== '' && refFault === undefined}
      onSubmit={() => create.send({ ref, name: name.trim() })}
    >
      {(tried) => (
        <>
          <TextInput
            label={text.name}
            description={text.createApp.nameHint}
            required
            maxLength={MAX_DISPLAY_NAME}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value)
              create.reset()
            }}
            error={tried && name.trim() === '' && text.required}
            data-autofocus
          />
          <TextInput
            label={text.createApp.reference}
            description={text.createApp.referenceHint}
            required
            value={ref}
            onChange={(event) => {
              setTypedRef(event.currentTarget.value)
              create.reset()
            }}
            error={
              isUnnamable
                ? text.createApp.noReference
                : (duplicate ?? ((tried || ref !== '') && refFault))
            }
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
    </DialogForm>
  )
}
