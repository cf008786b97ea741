import { Anchor, PasswordInput, TextInput } from '@mantine/core'
import { type Ref, useId } from 'react'
import { text } from './strings.ts'

interface FieldProps {
  readonly value: string
  /** What is wrong with it. */
  readonly error?: string | undefined
  readonly onChange: (value: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** The name of an account. It takes the focus unless it cannot be changed. */
export function NameField({
  isFixed = false,
  onChange,
  ...field
}: FieldProps & { readonly isFixed?: boolean }) {
  return (
    <TextInput
      label={text.name}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      data-autofocus={!isFixed}
      readOnly={isFixed}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  )
}

interface PasswordProps extends FieldProps {
  readonly label?: string
  readonly description?: string
  readonly required?: boolean
  readonly autoComplete?: 'new-password'
  readonly 'data-autofocus'?: boolean
}

/** Its password, or another one. Mantine's field alone does not tell screen readers what is wrong with it. */
export function PasswordField({ onChange, ...field }: PasswordProps) {
  const id = useId()
  const { description, error } = field
  const about = [description && `${id}-description`, error && `${id}-error`].filter(Boolean)
  return (
    <PasswordInput
      id={id}
      label={text.password}
      autoComplete="current-password"
      aria-invalid={error !== undefined}
      aria-describedby={about.join(' ') || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  )
}

/** The second factor: a code of the authenticator app, or a recovery code. Each has a field of its own. */
export function FactorField({
  usesApp,
  onChange,
  ...field
}: FieldProps & { readonly usesApp: boolean }) {
  return (
    <TextInput
      label={usesApp ? text.code : text.recoveryCode}
      autoComplete="one-time-code"
      inputMode={usesApp ? 'numeric' : 'text'}
      spellCheck={false}
      data-autofocus
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  )
}

/** Returns a second factor as it is sent. */
export function answerOf(usesApp: boolean, code: string) {
  return usesApp ? { totp: code.replaceAll(/\s/g, '') } : { recoveryCode: code.trim() }
}

interface LinkProps {
  readonly ta?: 'start' | 'left'
  readonly children: string
  readonly onClick: () => void
}

/** Words in a form that lead another way. */
export function OtherWay(props: LinkProps) {
  return <Anchor component="button" type="button" size="sm" {...props} />
}
