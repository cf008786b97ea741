import { PasswordInput } from '@mantine/core'
import { faultIn } from './field-fault.ts'
import { text } from './strings.ts'

interface Props {
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
export function PasswordField(props: Props) {
  const { label = text.confirmPassword, value, onChange, error, member = 'password' } = props
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={faultIn(error, member)}
      {...(props.isFirst ? { 'data-autofocus': true } : {})}
    />
  )
}
