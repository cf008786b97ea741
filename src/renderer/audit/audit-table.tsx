import { Table, VisuallyHidden } from '@mantine/core'
import type { AppDetail } from '../../shared/console/apps.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { EntryRows } from './entry-rows.tsx'

interface Props {
  readonly entries: readonly AuditEntry[]
  readonly apps: readonly AppDetail[]
}

/** Entries as rows, the newest first. */
export function AuditTable({ entries, apps }: Props) {
  return (
    <Table.ScrollContainer minWidth={640} type="native" className="sheet">
      <Table className={classes.table} aria-label="Audit log" horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.toggle}>
              <VisuallyHidden>Details</VisuallyHidden>
            </Table.Th>
            <Table.Th className={classes.when}>When</Table.Th>
            <Table.Th className={classes.who}>Who</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th className={classes.subject}>About</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <EntryRows key={entry.id} entry={entry} apps={apps} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
