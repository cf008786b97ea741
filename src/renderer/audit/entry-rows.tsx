import { ActionIcon, Table, Text } from '@mantine/core'
import {
  type Icon,
  IconChevronDown,
  IconChevronRight,
  IconDeviceDesktop,
  IconKey,
  IconServer2,
  IconTerminal2,
  IconUser,
} from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ActorKind } from '../../shared/audit.ts'
import type { AppName } from '../../shared/console/apps.ts'
import { showInvisible } from '../../shared/visible.ts'
import { When } from '../components/text/when.tsx'
import classes from './audit.module.css'
import { ChangeTable } from './change-table.tsx'
import type { AuditEntry } from './entry.ts'
import { entryInWords } from './entry-strings.ts'
import { text } from './strings.ts'
import { Subject } from './subject.tsx'

interface Props {
  readonly entry: AuditEntry
  readonly apps: readonly AppName[]
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
            aria-label={text.detailsOf(words)}
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

const ICONS: Readonly<Record<ActorKind, Icon>> = {
  console: IconDeviceDesktop,
  command_line: IconTerminal2,
  key: IconKey,
  person: IconUser,
  server: IconServer2,
}

/** Who made a change, and by which way it came. */
function Source({ actor }: Pick<AuditEntry, 'actor'>) {
  const { kind, name, via } = actor
  const Glyph = ICONS[via ?? kind]
  return (
    <>
      <Text size="sm" className="cut">
        {showInvisible(name)}
      </Text>
      <Text size="xs" c="dimmed" className={classes.source}>
        <Glyph size={14} aria-hidden="true" />
        {text.cameBy(actor)}
      </Text>
    </>
  )
}
