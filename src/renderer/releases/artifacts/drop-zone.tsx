import { Button, FileButton, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import classes from './artifacts.module.css'

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
      aria-label="Files to take in"
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
      <Text size="sm">
        Drop the built files here, with their <code>.sig</code> files, or a Tauri{' '}
        <code>latest.json</code>, or an electron-builder <code>latest.yml</code>.
      </Text>
      <FileButton
        multiple
        resetRef={reset}
        inputProps={{ 'aria-label': 'Files to take in' }}
        onChange={(files) => {
          onFiles(files)
          reset.current?.()
        }}
      >
        {(props) => (
          <Button {...props} variant="default" size="xs">
            Choose files
          </Button>
        )}
      </FileButton>
    </section>
  )
}
