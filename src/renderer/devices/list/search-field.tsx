import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_DEVICE_SEARCH } from '../../../shared/console/devices.ts'
import classes from './devices.module.css'

interface Props {
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Hands on what is typed after a short rest, so that not every letter asks the server. */
export function SearchField({ value, onChange }: Props) {
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
      className={classes.search}
      label="Search"
      type="search"
      placeholder="Beginning of an id, or label=value"
      maxLength={MAX_DEVICE_SEARCH}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
