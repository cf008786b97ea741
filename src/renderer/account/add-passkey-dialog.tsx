import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OwnAccount } from '../../shared/console/own-account.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { addPasskey } from '../bridge/browser/passkeys.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { faultIn } from './field-fault.ts'
import { PasswordField } from './password-field.tsx'
import { text } from './strings.ts'

interface Props extends DialogProps {
  readonly own: OwnAccount
}

/** Names a passkey and has the browser make it. */
export function AddPasskeyDialog({ own, ...dialog }: Props) {
  return (
    <Dialog {...dialog} title={text.addPasskey.title}>
      <AddPasskeyForm own={own} onDone={dialog.onClose} />
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'own'> {
  readonly onDone: () => void
}

function AddPasskeyForm({ own, onDone }: FormProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const add = useChange(addPasskey, {
    done: (_, input) => text.addPasskey.done(input.name),
    failed: () => text.addPasskey.failed,
    onDone,
  })
  return (
    <DialogForm
      action={text.addPasskey.action}
      change={add}
      isFieldError={faultIn(add.error, 'password') !== undefined}
      disabled={name.trim() === '' || (own.hasPassword && password === '')}
      onSubmit={() => add.send({ name: name.trim(), password })}
    >
      <TextInput
        label={text.addPasskey.name}
        description={text.addPasskey.nameHint}
        required
        maxLength={MAX_DISPLAY_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      {own.hasPassword && (
        <PasswordField value={password} onChange={setPassword} error={add.error} />
      )}
    </DialogForm>
  )
}
