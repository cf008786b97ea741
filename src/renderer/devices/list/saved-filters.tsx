import { Group, Menu, Stack, Text } from '@mantine/core'
import { IconBookmark, IconChevronDown, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { MAX_SAVED_FILTERS, type SavedFilter } from '../../../shared/console/desktop/shell.ts'
import { shell, shellClient } from '../../bridge/clients.ts'
import { ErrorNotice, IconButton, PlainButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useDialogPending } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { NameField } from '../../components/text-fields.tsx'
import { savedText as text } from '../strings.ts'
import classes from './devices.module.css'
import { type Filters, isNarrowed, readFilters, writeFilters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly onApply: (filters: Filters) => void
}

/** Filters that a person named, kept with the preferences of the desktop app. */
export function SavedFilters({ filters, onApply }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const saved = preferences.data?.savedDeviceFilters ?? []
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <PlainButton
            icon={IconBookmark}
            rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          >
            {text.menu}
          </PlainButton>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.length === 0 && <Menu.Label>{text.none}</Menu.Label>}
          {saved.map(({ name, query }) => (
            <Menu.Item
              key={name}
              title={name}
              classNames={{ itemLabel: 'cut' }}
              onClick={() => onApply(readFilters(new URLSearchParams(query)))}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={!isNarrowed(filters)} onClick={() => setDialog('save')}>
            {text.save}
          </Menu.Item>
          <Menu.Item disabled={saved.length === 0} onClick={() => setDialog('manage')}>
            {text.manage}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={dialog === 'save'} onClose={close} title={text.saveTitle}>
        <SaveForm
          saved={saved}
          // A saved filter begins at the first page.
          query={writeFilters({ ...filters, cursor: '', direction: 'next' }).toString()}
          onClose={close}
        />
      </Dialog>
      <Dialog opened={dialog === 'manage'} onClose={close} title={text.manageTitle}>
        <ManageList saved={saved} />
      </Dialog>
    </>
  )
}

/** Lists saved filters, each with a button that deletes it. */
function ManageList({ saved }: { readonly saved: readonly SavedFilter[] }) {
  const list = useRef<HTMLDivElement>(null)
  const remove = useChange(shellClient.shell.setPreferences.mutate, {
    done: text.deleted,
    failed: text.notDeleted,
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
          <IconButton
            icon={IconTrash}
            color="red"
            aria-label={text.delete(name)}
            disabled={remove.isPending}
            onClick={() =>
              remove.send({ savedDeviceFilters: saved.filter((one) => one.name !== name) })
            }
          />
        </Group>
      ))}
      <ErrorNotice error={remove.error} />
    </Stack>
  )
}

interface SaveProps {
  readonly saved: readonly SavedFilter[]
  /** The filters to save, as in the address. */
  readonly query: string
  readonly onClose: () => void
}

/** Asks for a name, and saves filters under it. */
function SaveForm({ saved, query, onClose }: SaveProps) {
  const [name, setName] = useState('')
  const save = useChange(shellClient.shell.setPreferences.mutate, {
    done: text.savedAs(name.trim()),
    failed: text.notSaved,
    onDone: onClose,
  })
  const issue = issueOf(name.trim(), saved)
  return (
    <DialogForm
      action={text.saveAction}
      change={save}
      valid={issue === undefined}
      onSubmit={() => {
        const next = [...saved, { name: name.trim(), query }]
        save.send({
          savedDeviceFilters: next.toSorted((a, b) => a.name.localeCompare(b.name)),
        })
      }}
    >
      {(tried) => (
        <NameField
          label={text.name}
          value={name}
          onChange={setName}
          error={tried && issue}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}

function issueOf(name: string, saved: readonly SavedFilter[]): string | undefined {
  if (name === '') return text.required
  if (saved.some((one) => one.name === name)) return text.nameExists
  return saved.length >= MAX_SAVED_FILTERS ? text.tooMany(MAX_SAVED_FILTERS) : undefined
}
