import { Button, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { Quiet } from '../../components/text/quiet.tsx'
import type { ReleasePair } from '../detail.ts'
import { ChangeMark } from './change-mark.tsx'
import classes from './compare.module.css'
import { diffLines, type LineRun, linesOf } from './line-diff.ts'
import { text } from './strings.ts'

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 3

/** Compares the notes of two releases line by line, as they were written. */
export function NotesPanel({ from: { release: from }, to: { release: to } }: ReleasePair) {
  const { runs, isExact } = useMemo(
    () => diffLines(linesOf(from.notes), linesOf(to.notes)),
    [from.notes, to.notes],
  )
  const count = (kind: LineRun['kind']) =>
    runs.reduce((sum, run) => sum + (run.kind === kind ? run.lines.length : 0), 0)
  const [added, removed] = [count('added'), count('removed')]
  const isChanged = added + removed > 0
  return (
    <Panel
      title={text.notes}
      aside={<Quiet>{isChanged ? text.linesChanged(added, removed) : text.nothingChanged}</Quiet>}
      flush={isChanged}
    >
      {!isChanged && <Text c="dimmed">{runs.length === 0 ? text.noNotes : text.sameNotes}</Text>}
      {!isExact && (
        <Notice icon={IconInfoCircle} m="md" color="tide">
          {text.coarse}
        </Notice>
      )}
      {isChanged &&
        runs.map((run, index) => (
          <Run
            // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text have no other name
            key={index}
            run={run}
            before={index === 0 ? 0 : CONTEXT}
            after={index === runs.length - 1 ? 0 : CONTEXT}
          />
        ))}
    </Panel>
  )
}

interface RunProps {
  readonly run: LineRun
  /** How many lines at its beginning and end are shown where it is unchanged. */
  readonly before: number
  readonly after: number
}

function Run({ run: { kind, lines }, before, after }: RunProps) {
  const [isOpen, setOpen] = useState(false)
  const hidden = lines.length - before - after
  if (kind !== 'same' || isOpen || hidden <= 1) return <Lines kind={kind} lines={lines} />
  return (
    <>
      {before > 0 && <Lines kind={kind} lines={lines.slice(0, before)} />}
      <div className={classes.hidden}>
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          {text.showLines(hidden)}
        </Button>
      </div>
      {after > 0 && <Lines kind={kind} lines={lines.slice(-after)} />}
    </>
  )
}

const ELEMENTS = { same: 'span', removed: 'del', added: 'ins' } as const

function Lines({ kind, lines }: LineRun) {
  const Element = ELEMENTS[kind]
  return (
    <div className={classes.run} data-kind={kind}>
      {kind === 'same' ? <span /> : <ChangeMark kind={kind} />}
      {/* An empty line at the end is drawn only before another one. */}
      <Element className={classes.lines}>{`${lines.join('\n')}\n`}</Element>
    </div>
  )
}
