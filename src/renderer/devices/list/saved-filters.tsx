import { Button, Menu } from '@mantine/core'
import { IconBookmark, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shell } from '../../bridge/clients.ts'
import { savedText as text } from '../strings.ts'
import classes from './devices.module.css'
import { type Filters, isNarrowed, readFilters, writeFilters } from './filters.ts'
import { ManageFiltersDialog } from './manage-filters-dialog.tsx'
import { SaveFilterDialog } from './save-filter-dialog.tsx'

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
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden="true" />}
            rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          >
            {text.menu}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.length === 0 && <Menu.Label>{text.none}</Menu.Label>}
          {saved.map(({ name, query }) => (
            <Menu.Item
              key={name}
              title={name}
              classNames={{ itemLabel: classes.saved ?? '' }}
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
      <SaveFilterDialog
        opened={dialog === 'save'}
        saved={saved}
        // A saved filter begins at the first page.
        query={writeFilters({ ...filters, cursor: '', direction: 'next' }).toString()}
        onClose={close}
      />
      <ManageFiltersDialog opened={dialog === 'manage'} saved={saved} onClose={close} />
    </>
  )
}
