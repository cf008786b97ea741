import { Anchor, PasswordInput, TextInput } from '@mantine/core'
import type { Ref } from 'react'
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

/** Its password. */
export function PasswordField({ onChange, ...field }: FieldProps) {
  return (
    <PasswordInput
      label={text.password}
      autoComplete="current-password"
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
