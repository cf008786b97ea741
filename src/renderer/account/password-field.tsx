import { PasswordInput } from '@mantine/core'
import { refusalSentence } from '../../shared/wording/refusal.ts'
import { consoleErrorOf } from '../bridge/error.ts'
import { sentence } from '../components/text/sentence.ts'
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

/** Returns why a member of the input was refused, for its field; undefined for every other error. */
export function faultIn(error: unknown, member: string): string | undefined {
  const refusal = error === null ? undefined : consoleErrorOf(error).refusal
  if (refusal === undefined || !('path' in refusal) || refusal.path[0] !== member) return undefined
  return sentence(refusalSentence({ ...refusal, path: [] }))
}
