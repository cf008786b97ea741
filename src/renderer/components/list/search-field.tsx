import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { text } from '../strings.ts'
import { useFieldText } from './use-field-text.ts'

/** Milliseconds without a letter after which a text is handed on. */
const REST = 250

interface Props {
  readonly value: string
  /** What can be searched for, in a few words. */
  readonly placeholder: string
  /** Characters of the longest text. */
  readonly maxLength?: number
  readonly className?: string | undefined
  readonly onChange: (text: string) => void
}

/** Hands on what is typed after a short rest, so that not every letter asks the server. */
export function SearchField({ value, placeholder, maxLength = 200, className, onChange }: Props) {
  const { text: typedText, setText, handOn } = useFieldText(value)
  const send = useRef((_: string) => {})
  send.current = (typed) => {
    handOn(typed)
    onChange(typed)
  }
  useEffect(() => {
    if (typedText === value) return
    const rest = setTimeout(() => send.current(typedText), REST)
    return () => clearTimeout(rest)
  }, [typedText, value])
  return (
    <TextInput
      className={className}
      label={text.search}
      type="search"
      placeholder={placeholder}
      maxLength={maxLength}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={typedText}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
