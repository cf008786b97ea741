import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import type { SavedFilter } from '../../../shared/console/shell.ts'
import { shellClient } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useDialogPending } from '../../components/dialog/dialog.tsx'
import { savedText as text } from '../strings.ts'
import classes from './devices.module.css'

interface Props {
  readonly opened: boolean
  readonly saved: readonly SavedFilter[]
  readonly onClose: () => void
}

/** Lists saved filters, each with a button that deletes it. */
export function ManageFiltersDialog({ opened, saved, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.manageTitle}>
      <ManageList saved={saved} />
    </Dialog>
  )
}

function ManageList({ saved }: Pick<Props, 'saved'>) {
  const list = useRef<HTMLDivElement>(null)
  const remove = useChange(shellClient.shell.setPreferences.mutate, {
    done: () => text.deleted,
    failed: () => text.notDeleted,
    // The button that had the focus is gone.
    onDone: () => list.current?.focus(),
  })
  useDialogPending(remove.isPending)
  return (
    <Stack ref={list} gap="xs" tabIndex={-1} className={classes.manage}>
      {saved.length === 0 && <Text c="dimmed">{text.none}</Text>}
      {saved.map(({ name }) => (
        <Group key={name} justify="space-between" wrap="nowrap">
          <Text className="cut" title={name}>
            {name}
          </Text>
          <ActionIcon
            color="red"
            aria-label={text.delete(name)}
            disabled={remove.isPending}
            onClick={() =>
              remove.send({ savedDeviceFilters: saved.filter((one) => one.name !== name) })
            }
          >
            <IconTrash size={16} aria-hidden="true" />
          </ActionIcon>
        </Group>
      ))}
      <ErrorNotice error={remove.error} />
    </Stack>
  )
}
