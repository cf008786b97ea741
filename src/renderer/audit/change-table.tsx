import { Table } from '@mantine/core'
import { Quiet } from '../components/text/quiet.tsx'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { changesOf } from './field-diff.ts'
import { text } from './strings.ts'

/** What a change changed, part by part. What is new, or gone, has one column of values only. */
export function ChangeTable({ entry }: { readonly entry: AuditEntry }) {
  const { before, after } = entry
  const changes = changesOf(before, after)
  const [isNew, isGone] = [isNothing(before), isNothing(after)]
  if (changes.length === 0) {
    return <Quiet>{text.noDetails}</Quiet>
  }
  return (
    <Table
      aria-label={text.changed}
      className={classes.changes}
      withRowBorders={false}
      highlightOnHover={false}
      verticalSpacing={4}
      horizontalSpacing={8}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.part}>{text.field}</Table.Th>
          {!isNew && <Table.Th>{text.before}</Table.Th>}
          {!isGone && <Table.Th>{text.after}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.name}>
            <Table.Th scope="row" className={classes.part}>
              {change.name}
            </Table.Th>
            {!isNew && <Value value={change.before} />}
            {!isGone && <Value value={change.after} />}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Value({ value }: { readonly value: string | undefined }) {
  return <Table.Td className={classes.value}>{value ?? <Quiet span>{text.none}</Quiet>}</Table.Td>
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
