import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { text } from './strings.ts'

interface Props {
  readonly disabled: boolean
  readonly loading: boolean
  /** Whether the server stores files, which can be backed up as well. */
  readonly storesFiles: boolean
  readonly onBackUp: (withFiles: boolean) => void
}

/** Makes a backup: of the database, or of the stored files as well. */
export function BackUpButton({ disabled, loading, storesFiles, onBackUp }: Props) {
  const shared = { variant: 'default', disabled, loading }
  if (!storesFiles) {
    return (
      <Button {...shared} onClick={() => onBackUp(false)}>
        {text.backUpNow}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...shared} rightSection={<IconChevronDown size={16} aria-hidden="true" />}>
          {text.backUpNow}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onBackUp(false)}>{text.databaseOnly}</Menu.Item>
        <Menu.Item onClick={() => onBackUp(true)}>{text.databaseAndFiles}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
