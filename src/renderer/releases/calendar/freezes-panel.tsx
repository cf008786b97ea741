import { Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlanCalendar } from '../../../shared/console/releases/plans.ts'
import type { Freeze } from '../../../shared/plans/freeze.ts'
import { useAccess } from '../../bridge/access.ts'
import { serverClient } from '../../bridge/clients.ts'
import { IconButton, Panel, SmallButton } from '../../components/blocks.tsx'
import { Dialog, type DialogProps, useAsked } from '../../components/dialog/dialog.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { formatTime, useTimeZone } from '../../components/text/time.ts'
import { Quiet } from '../../components/text/words.tsx'
import { noonOf } from './days.ts'
import { FreezeForm } from './freeze-form.tsx'
import { text } from './strings.ts'

/** The freezes of all apps; they are added and removed here. */
export function FreezesPanel({ freezes }: Pick<PlanCalendar, 'freezes'>) {
  useTimeZone()
  const { mayInSomeApp } = useAccess()
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const removing = useAsked<SeenFreeze>()
  const rows = freezes.flatMap(({ app, freezes: seen }) =>
    seen.map((freeze): SeenFreeze => ({ app, freeze, seen })),
  )
  return (
    <Panel
      flush
      title={text.freezes}
      actions={
        mayInSomeApp('release_manager') && (
          <SmallButton icon={IconPlus} onClick={() => setAdding(true)}>
            {text.addFreeze}
          </SmallButton>
        )
      }
    >
      <Quiet px="md" py="sm">
        {rows.length === 0 ? `${text.noFreezes}. ${text.freezesHint}` : text.freezesHint}
      </Quiet>
      {rows.length > 0 && <FreezeTable rows={rows} onRemove={removing.ask} />}
      <Dialog opened={isAdding} onClose={close} title={text.addTitle}>
        <FreezeForm freezes={freezes} onClose={close} />
      </Dialog>
      {removing.about && <RemoveFreezeDialog {...removing.about} {...removing.dialog} />}
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
    <DataTable
      label={text.freezes}
      rows={rows}
      keyOf={(row) => `${row.app} ${JSON.stringify(row.freeze)}`}
      columns={[
        { name: app, cell: (row) => row.app },
        {
          ...{ name, className: 'wraps' },
          cell: ({ freeze }) => freeze.name || text.unnamed,
        },
        {
          name: first,
          className: 'cut',
          cell: ({ freeze }) => formatTime(noonOf(freeze.firstDay), 'date'),
        },
        {
          name: last,
          className: 'cut',
          cell: ({ freeze }) => formatTime(noonOf(freeze.lastDay), 'date'),
        },
        { name: zone, cell: ({ freeze }) => freeze.timeZone },
        {
          ...{ name: '', w: 56 },
          cell: (row) =>
            may('release_manager', row.app) && (
              <Tooltip label={text.removeFreeze}>
                <IconButton
                  icon={IconTrash}
                  aria-label={text.removeLabel(row.freeze.name || text.unnamed, row.app)}
                  onClick={() => onRemove(row)}
                />
              </Tooltip>
            ),
        },
      ]}
    />
  )
}

/** A freeze, and all of its app as they were seen. */
interface SeenFreeze {
  readonly app: string
  readonly freeze: Freeze
  readonly seen: readonly Freeze[]
}

/** Asks once before a freeze is removed. */
function RemoveFreezeDialog({ app, freeze, seen, ...dialog }: SeenFreeze & DialogProps) {
  const freezes = seen.filter((each) => each !== freeze)
  return (
    <ChangeDialog
      {...dialog}
      title={text.removeTitle(app)}
      action={text.removeFreeze}
      send={() => serverClient.apps.setFreezes.mutate({ app, freezes, seen: [...seen] })}
      done={text.removed(app)}
      failed={text.notRemoved(app)}
    >
      {text.removeEffect(freeze.name || text.unnamed, daysInWords(freeze))}
    </ChangeDialog>
  )
}

function daysInWords({ firstDay, lastDay }: Freeze): string {
  const [first, last] = [firstDay, lastDay].map((day) => formatTime(noonOf(day), 'date'))
  return first === last ? `${first}` : text.range(`${first}`, `${last}`)
}
