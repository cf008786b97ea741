import { Button, Text } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Panel } from '../components/panel.tsx'
import { NumberTable } from './number-table.tsx'
import { text } from './strings.ts'

interface Props {
  readonly title: string
  /** What the chart says, in a sentence. */
  readonly summary: string
  readonly table: Omit<ComponentProps<typeof NumberTable>, 'shown'>
  /** The picture. It is not there for screen readers, which have the sentence and the table. */
  readonly chart?: ReactNode
  readonly children?: ReactNode
}

/** A chart with its sentence, and its numbers as a table on demand. */
export function ChartPanel({ title, summary, table, chart, children }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Panel
      title={title}
      actions={
        <Button
          variant={shown ? 'light' : 'subtle'}
          size="xs"
          aria-label={text.showTableOf(title)}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {text.showTable}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {summary}
      </Text>
      {chart !== undefined && <div aria-hidden="true">{chart}</div>}
      {children}
      <NumberTable {...table} shown={shown} />
    </Panel>
  )
}
