import { Input, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { Notes } from './notes.tsx'
import classes from './notes-field.module.css'

interface Props {
  readonly value: string
  readonly onChange: (markdown: string) => void
  readonly issue?: string | undefined
}

/** Release notes in markdown, to write and to look at. Both views have the same height. */
export function NotesField({ value, onChange, issue }: Props) {
  const [view, setView] = useState('write')
  const id = useId()
  return (
    <div>
      <div className={classes.head}>
        <Input.Label htmlFor={id}>Release notes</Input.Label>
        <SegmentedControl
          size="xs"
          aria-label="View of the notes"
          value={view}
          onChange={setView}
          data={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
      </div>
      {view === 'write' ? (
        <Textarea
          id={id}
          value={value}
          error={issue}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          placeholder="What changed, in markdown"
          classNames={{ input: classes.box }}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
        <section className={classes.preview} aria-label="Preview of the notes" tabIndex={0}>
          {value.trim() === '' ? <Text c="dimmed">No notes yet.</Text> : <Notes markdown={value} />}
        </section>
      )}
    </div>
  )
}
