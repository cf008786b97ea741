import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

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
  const [text, setText] = useState(value)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const rest = setTimeout(() => latest.current(text), 250)
    return () => clearTimeout(rest)
  }, [text, value])
  return (
    <TextInput
      className={className}
      label="Search"
      type="search"
      placeholder={placeholder}
      maxLength={maxLength}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
