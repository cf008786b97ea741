import { Button, FileButton, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import classes from './artifacts.module.css'
import { text } from './strings.ts'

interface Props {
  readonly onFiles: (files: File[]) => void
}

/** Takes files by drop, and by a button for the keyboard. */
export function DropZone({ onFiles }: Props) {
  const [over, setOver] = useState(false)
  const reset = useRef<() => void>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length > 0) onFiles(files)
  }
  return (
    <section
      aria-label={text.dropTitle}
      className={classes.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileImport size={24} stroke={1.5} color="var(--tidegate-quiet)" aria-hidden="true" />
      <Text size="sm">{text.dropHint}</Text>
      <FileButton
        multiple
        resetRef={reset}
        inputProps={{ 'aria-label': text.dropTitle }}
        onChange={(files) => {
          onFiles(files)
          reset.current?.()
        }}
      >
        {(props) => (
          <Button {...props} variant="default" size="xs">
            {text.chooseFiles}
          </Button>
        )}
      </FileButton>
    </section>
  )
}
