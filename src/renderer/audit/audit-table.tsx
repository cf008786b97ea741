import { Table, VisuallyHidden } from '@mantine/core'
import type { AppName } from '../../shared/console/apps.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { EntryRows } from './entry-rows.tsx'
import { text } from './strings.ts'

interface Props {
  readonly entries: readonly AuditEntry[]
  readonly apps: readonly AppName[]
}

/** Entries as rows, latest first. */
export function AuditTable({ entries, apps }: Props) {
  return (
    <Table.ScrollContainer minWidth={640} type="native" className="sheet">
      <Table className={classes.table} aria-label={text.title} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.toggle}>
              <VisuallyHidden>{text.details}</VisuallyHidden>
            </Table.Th>
            <Table.Th className={classes.when}>{text.time}</Table.Th>
            <Table.Th className={classes.who}>{text.actor}</Table.Th>
            <Table.Th>{text.change}</Table.Th>
            <Table.Th className={classes.subject}>{text.subject}</Table.Th>
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
