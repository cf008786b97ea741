import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { faultIn } from '../../components/change/fault.ts'
import { type Change, useChange } from '../../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../../components/dialog/dialog.tsx'
import { DialogForm, useFreshChange } from '../../components/dialog/dialog-form.tsx'
import { PasswordField } from '../sign-in/fields.tsx'
import { text } from './strings.ts'

interface Props<Output> extends DialogProps {
  readonly title: string
  readonly action: string
  readonly destructive?: boolean
  /** Whether the account has a password to ask for. */
  readonly hasPassword: boolean
  /** Sends the change. */
  readonly send: (input: { readonly password: string }) => Promise<Output>
  /** What is announced when it is done; left out where the screen shows it. */
  readonly done?: string
  /** Title of the announcement if it fails after the screen was left. */
  readonly failed: string
  /** What happens on the answer; left out, the dialog closes once the screen shows the change. */
  readonly onAnswer?: (output: Output) => void
  /** What it will do, in numbers. */
  readonly children: ReactNode
}

/** Asks for the password before a change of how the person signs in, and sends it. */
export function ConfirmedDialog<Output>(props: Props<Output>) {
  const { opened, title, onClose, send, done, failed, onAnswer, ...rest } = props
  const onDone = onAnswer === undefined ? onClose : undefined
  const change = useChange(send, { done, failed, onAnswer, onDone })
  useFreshChange(opened, change)
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ConfirmedForm change={change} {...rest} />
    </Dialog>
  )
}

interface FormProps
  extends Pick<Props<never>, 'action' | 'destructive' | 'hasPassword' | 'children'> {
  readonly change: Change<{ readonly password: string }>
}

function ConfirmedForm({ action, destructive = false, hasPassword, change, ...rest }: FormProps) {
  const [password, setPassword] = useState('')
  return (
    <DialogForm
      action={action}
      destructive={destructive}
      change={change}
      isFieldError={faultIn(change.error, 'password') !== undefined}
      disabled={hasPassword && password === ''}
      onSubmit={() => change.send({ password })}
    >
      <Text size="sm">{rest.children}</Text>
      {hasPassword && (
        <OwnPasswordField value={password} onChange={setPassword} error={change.error} isFirst />
      )}
    </DialogForm>
  )
}

interface PasswordFieldProps {
  readonly label?: string
  readonly value: string
  readonly onChange: (password: string) => void
  /** What the last attempt failed with. */
  readonly error: unknown
  /** The member of the input that it is sent as. */
  readonly member?: string
  readonly isFirst?: boolean
}

/** The person's present password, which confirms a change of how they sign in. */
export function OwnPasswordField(props: PasswordFieldProps) {
  const { label = text.confirmPassword, value, onChange, error, member = 'password' } = props
  return (
    <PasswordField
      label={label}
      required
      value={value}
      onChange={onChange}
      error={faultIn(error, member)}
      {...(props.isFirst ? { 'data-autofocus': true } : {})}
    />
  )
}
