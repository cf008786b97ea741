import { Button, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { diffArrays } from 'diff'
import { useMemo, useState } from 'react'
import { Notice, Panel } from '../../components/blocks.tsx'
import { Quiet } from '../../components/text/words.tsx'
import type { ReleasePair } from '../detail.ts'
import classes from './compare.module.css'
import { ChangeMark } from './facts-panel.tsx'
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

/** Lines in a row that both texts have, or that only one of them has. */
export interface LineRun {
  readonly kind: 'same' | 'removed' | 'added'
  readonly lines: readonly string[]
}

interface LineDiff {
  /** In the order of the texts; what was removed comes before what was added in its place. */
  readonly runs: readonly LineRun[]
  /** False if the texts differ too much: what lies between their common ends is then one change. */
  readonly isExact: boolean
}

/** Most changed lines, and milliseconds, of the search for the fewest changed lines. */
const DIFF_BOUNDS = { maxEditLength: 500, timeout: 1_000 }

/** Returns the lines of a text; none for an empty one. A line break at its end begins no other line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Compares two texts line by line. Within the bounds, no fewer lines can have changed. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  bounds = DIFF_BOUNDS,
): LineDiff {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = before.slice(start, before.length - end)
  const to = after.slice(start, after.length - end)
  const changes = diffArrays(from, to, bounds)
  const runs: LineRun[] = []
  if (start > 0) runs.push({ kind: 'same', lines: before.slice(0, start) })
  let removed: readonly string[] = changes === undefined ? from : []
  let added: readonly string[] = changes === undefined ? to : []
  const same = (lines: readonly string[]) => {
    const found = [
      { kind: 'removed', lines: removed },
      { kind: 'added', lines: added },
      { kind: 'same', lines },
    ] as const
    runs.push(...found.filter((run) => run.lines.length > 0))
    removed = []
    added = []
  }
  for (const change of changes ?? []) {
    if (change.removed) removed = [...removed, ...change.value]
    else if (change.added) added = [...added, ...change.value]
    else same(change.value)
  }
  same(before.slice(before.length - end))
  return { runs, isExact: changes !== undefined }
}
