import { Group, Kbd, Table } from '@mantine/core'
import { Spotlight } from '@mantine/spotlight'
import { useCallback } from 'react'
import { isDesktop } from '../../bridge/clients.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { returnFocus } from '../../components/dialog/keep-focus.ts'
import { modKey, paletteStore } from './entry.ts'
import classes from './palette.module.css'
import { PaletteContent } from './palette-content.tsx'
import { shortcuts, text } from './strings.ts'

interface PaletteProps {
  /** Whether the list of shortcuts is open, too. */
  readonly lists: boolean
  readonly onLists: (lists: boolean) => void
}

/** Goes to any screen, app, channel, release or device, and runs commands, by the keyboard. */
export function Palette({ lists, onLists }: PaletteProps) {
  const showShortcuts = useCallback(() => onLists(true), [onLists])
  return (
    <>
      <Spotlight.Root
        store={paletteStore}
        shortcut={null}
        attributes={{ content: { 'aria-label': text.label } }}
        size={640}
        yOffset={64}
        overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
        transitionProps={{ duration: 100 }}
        returnFocus={false}
        // After the commit that closes it: the screen that was opened takes the focus.
        onSpotlightClose={() => setTimeout(returnFocus)}
        classNames={{
          action: classes.action ?? '',
          actionLabel: 'wraps',
          actionDescription: classes.detail ?? '',
        }}
        scrollable
        maxHeight={440}
      >
        <PaletteContent showShortcuts={showShortcuts} />
      </Spotlight.Root>
      <ShortcutsDialog opened={lists} onClose={() => onLists(false)} />
    </>
  )
}

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** The list of shortcuts. */
function ShortcutsDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.shortcuts}>
      <Table aria-label={text.shortcuts} highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.shortcutColumns.action}</Table.Th>
            <Table.Th ta="end">{text.shortcutColumns.keys}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shortcuts(isDesktop()).map(({ keys, action }) => (
            <Table.Tr key={action}>
              <Table.Td>{action}</Table.Td>
              <Table.Td>
                <Keys keys={keys} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}

/** Keys that are pressed together. */
function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      {keys.map((key) => (
        <Kbd key={key} size="xs">
          {key === 'mod' ? modKey : key}
        </Kbd>
      ))}
    </Group>
  )
}
