import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Preferences } from '../../shared/console/shell.ts'

const { updateServer: Address } = Preferences.shape

interface Props {
  readonly value: string
  readonly onSave: (address: string) => void
}

/** The server that is checked for new versions of Tidegate. Saved when the field loses focus. */
export function UpdateServerField({ value, onSave }: Props) {
  const [text, setText] = useState(value)
  const read = Address.safeParse(text.trim())
  return (
    <TextInput
      label="Update server"
      description="A Tidegate server that serves the app “tidegate”"
      value={text}
      error={read.success ? undefined : 'Enter a URL that starts with http:// or https://'}
      spellCheck={false}
      autoComplete="off"
      maw={420}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => read.success && read.data !== value && onSave(read.data)}
    />
  )
}
