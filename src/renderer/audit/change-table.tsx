import { Table, Text } from '@mantine/core'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { changesOf } from './field-diff.ts'

/** What a change changed, part by part. What is new, or gone, has one column of values only. */
export function ChangeTable({ entry }: { readonly entry: AuditEntry }) {
  const { before, after } = entry
  const changes = changesOf(before, after)
  const [isNew, isGone] = [isNothing(before), isNothing(after)]
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing more was noted about this change.
      </Text>
    )
  }
  return (
    <Table
      aria-label="What changed"
      className={classes.changes}
      withRowBorders={false}
      highlightOnHover={false}
      verticalSpacing={4}
      horizontalSpacing={8}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.part}>Part</Table.Th>
          {!isNew && <Table.Th>Before</Table.Th>}
          {!isGone && <Table.Th>After</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.name}>
            <Table.Th scope="row" className={classes.part}>
              {change.name}
            </Table.Th>
            {!isNew && <Value text={change.before} />}
            {!isGone && <Value text={change.after} />}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Value({ text }: { readonly text: string | undefined }) {
  return (
    <Table.Td className={classes.value}>
      {text ?? (
        <Text span size="sm" c="dimmed">
          None
        </Text>
      )}
    </Table.Td>
  )
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
