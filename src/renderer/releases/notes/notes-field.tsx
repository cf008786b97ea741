import { Group, Input, SegmentedControl, Text, Textarea } from '@mantine/core'
import { memo, useId, useState, useTransition } from 'react'
import classes from './notes.module.css'
import { Notes } from './notes.tsx'
import { text } from './strings.ts'

interface Props {
  readonly value: string
  readonly onChange: (markdown: string) => void
  readonly issue?: string | undefined
}

/** Release notes in markdown, to write and to look at. Both views have the same height. */
export const NotesField = memo(function NotesField({ value, onChange, issue }: Props) {
  const [view, setView] = useState('write')
  const [, startTransition] = useTransition()
  const id = useId()
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={8}>
        <Input.Label htmlFor={id}>{text.label}</Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={text.view}
          value={view}
          onChange={(next) => startTransition(() => setView(next))}
          data={[
            { value: 'write', label: text.write },
            { value: 'preview', label: text.preview },
          ]}
        />
      </Group>
      {view === 'write' ? (
        <Textarea
          id={id}
          value={value}
          error={issue}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          placeholder={text.placeholder}
          classNames={{ input: classes.box }}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
        <section className={classes.preview} aria-label={text.previewOf} tabIndex={0}>
          {value.trim() === '' ? <Text c="dimmed">{text.empty}</Text> : <Notes markdown={value} />}
        </section>
      )}
    </div>
  )
})
