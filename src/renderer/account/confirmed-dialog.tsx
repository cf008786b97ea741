import { Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Change } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { faultIn } from './field-fault.ts'
import { PasswordField } from './password-field.tsx'

interface Props extends DialogProps {
  readonly title: string
  readonly action: string
  readonly destructive?: boolean
  /** Whether the account has a password to ask for. */
  readonly hasPassword: boolean
  readonly change: Pick<Change<never>, 'isPending' | 'error' | 'reset'>
  readonly onConfirm: (password: string) => void
  /** What it will do, in numbers. */
  readonly children: ReactNode
}

/** Asks for the password before a change of how the person signs in. */
export function ConfirmedDialog({ opened, title, onClose, ...rest }: Props) {
  const { reset } = rest.change
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ConfirmedForm {...rest} />
    </Dialog>
  )
}

type FormProps = Omit<Props, 'opened' | 'title' | 'onClose'>

function ConfirmedForm({ action, destructive = false, hasPassword, change, ...rest }: FormProps) {
  const [password, setPassword] = useState('')
  return (
    <DialogForm
      action={action}
      destructive={destructive}
      change={change}
      isFieldError={faultIn(change.error, 'password') !== undefined}
      disabled={hasPassword && password === ''}
      onSubmit={() => rest.onConfirm(password)}
    >
      <Text size="sm">{rest.children}</Text>
      {hasPassword && (
        <PasswordField value={password} onChange={setPassword} error={change.error} isFirst />
      )}
    </DialogForm>
  )
}
