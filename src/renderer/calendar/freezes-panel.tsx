import { ActionIcon, Button, Table, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlanCalendar } from '../../shared/console/plans.ts'
import { useAccess } from '../bridge/access.ts'
import { Panel } from '../components/panel.tsx'
import { formatTime, useTimeZone } from '../components/text/time.ts'
import { AddFreezeDialog } from './add-freeze-dialog.tsx'
import { noonOf } from './days.ts'
import { RemoveFreezeDialog, type SeenFreeze } from './remove-freeze-dialog.tsx'
import { text } from './strings.ts'

/** The freezes of all apps; they are added and removed here. */
export function FreezesPanel({ freezes }: Pick<PlanCalendar, 'freezes'>) {
  useTimeZone()
  const { mayInSomeApp } = useAccess()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<SeenFreeze>()
  const rows = freezes.flatMap(({ app, freezes: seen }) =>
    seen.map((freeze): SeenFreeze => ({ app, freeze, seen })),
  )
  return (
    <Panel
      flush
      title={text.freezes}
      actions={
        mayInSomeApp('release_manager') && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => setAdding(true)}
          >
            {text.addFreeze}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" px="md" py="sm">
        {rows.length === 0 ? `${text.noFreezes}. ${text.freezesHint}` : text.freezesHint}
      </Text>
      {rows.length > 0 && <FreezeTable rows={rows} onRemove={setRemoving} />}
      <AddFreezeDialog opened={isAdding} freezes={freezes} onClose={() => setAdding(false)} />
      <RemoveFreezeDialog asked={removing} onClose={() => setRemoving(undefined)} />
    </Panel>
  )
}

interface TableProps {
  readonly rows: readonly SeenFreeze[]
  readonly onRemove: (row: SeenFreeze) => void
}

function FreezeTable({ rows, onRemove }: TableProps) {
  const { may } = useAccess()
  const { app, name, first, last, zone } = text.freezeColumns
  return (
    <Table aria-label={text.freezes}>
      <Table.Thead>
        <Table.Tr>
          {[app, name, first, last, zone].map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
          <Table.Td w={56} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={`${row.app} ${JSON.stringify(row.freeze)}`}>
            <Table.Td>{row.app}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {row.freeze.name || text.unnamed}
            </Table.Td>
            <Table.Td>{formatTime(noonOf(row.freeze.firstDay), 'date')}</Table.Td>
            <Table.Td>{formatTime(noonOf(row.freeze.lastDay), 'date')}</Table.Td>
            <Table.Td>{row.freeze.timeZone}</Table.Td>
            <Table.Td>
              {may('release_manager', row.app) && (
                <Tooltip label={text.removeFreeze}>
                  <ActionIcon
                    color="gray"
                    aria-label={text.removeLabel(row.freeze.name || text.unnamed, row.app)}
                    onClick={() => onRemove(row)}
                  >
                    <IconTrash size={16} aria-hidden="true" />
                  </ActionIcon>
                </Tooltip>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
