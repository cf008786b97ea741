import { ActionIcon, Table } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { When } from '../components/when.tsx'
import classes from './audit.module.css'
import { ChangeTable } from './change-table.tsx'
import type { AuditEntry } from './entry.ts'
import { Source } from './source.tsx'
import { entryInWords } from './strings.ts'
import { Subject } from './subject.tsx'

interface Props {
  readonly entry: AuditEntry
  readonly apps: readonly AppDetail[]
}

/** One entry as a row, and below it, on demand, what it changed. */
export function EntryRows({ entry, apps }: Props) {
  const [opened, setOpened] = useState(false)
  const id = useId()
  const words = entryInWords(entry)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <>
      <Table.Tr>
        <Table.Td className={classes.toggle}>
          <ActionIcon
            color="gray"
            aria-expanded={opened}
            aria-controls={opened ? id : undefined}
            aria-label={`Details of: ${words}`}
            onClick={() => setOpened(!opened)}
          >
            <Chevron size={16} aria-hidden="true" />
          </ActionIcon>
        </Table.Td>
        <Table.Td className={classes.when}>
          <When at={entry.at} />
        </Table.Td>
        <Table.Td>
          <Source actor={entry.actor} />
        </Table.Td>
        <Table.Td className={classes.words}>{words}</Table.Td>
        <Table.Td>
          <Subject entry={entry} apps={apps} />
        </Table.Td>
      </Table.Tr>
      {opened && (
        <Table.Tr id={id} className={classes.opened}>
          <Table.Td />
          <Table.Td colSpan={4}>
            <ChangeTable entry={entry} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}
