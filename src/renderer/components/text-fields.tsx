import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { Ref } from 'react'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'

interface Props extends Omit<TextInputProps, 'onChange'> {
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (typed: string) => void
}

/** A field for an address, a version or another identifier: the browser neither completes nor corrects it. */
export function TextField(props: Props) {
  return <PlainField autoComplete="off" spellCheck={false} {...props} />
}

/** A required field for the name of something. */
export function NameField(props: Props) {
  return <PlainField required maxLength={MAX_DISPLAY_NAME} {...props} />
}

/** A field for a time of day or a date, as `type` says. */
export function PlainField({ onChange, ...rest }: Props) {
  return <TextInput {...rest} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}

interface ProseProps {
  readonly label: string
  readonly description: string
  readonly maxLength: number
  readonly value: string
  readonly onChange: (typed: string) => void
  readonly isFirst?: boolean
}

/** A field for some sentences, which grows with them. */
export function ProseField({ onChange, isFirst = false, ...rest }: ProseProps) {
  return (
    <Textarea
      {...rest}
      {...(isFirst && { 'data-autofocus': true })}
      autosize
      minRows={2}
      maxRows={6}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
