import { Group, Kbd, Table } from '@mantine/core'
import { Spotlight } from '@mantine/spotlight'
import { useCallback, useLayoutEffect, useState } from 'react'
import { isDesktop } from '../../bridge/clients.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { returnFocus } from '../../components/dialog/keep-focus.ts'
import classes from './palette.module.css'
import { PaletteContent } from './palette-content.tsx'
import { hasDialog, modKey, openPalette, palette, paletteStore } from './palette-store.ts'
import { shortcuts, text } from './strings.ts'

/** Goes to any screen, app, channel, release or device, and runs commands, by the keyboard. */
export function Palette() {
  const [lists, setLists] = useState(false)
  const showShortcuts = useCallback(() => setLists(true), [])
  usePaletteKeys(showShortcuts)
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
      <ShortcutsDialog opened={lists} onClose={() => setLists(false)} />
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

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Opens the palette by Ctrl or Command and K, and the list of shortcuts by `?` outside of fields. */
function usePaletteKeys(showShortcuts: () => void): void {
  // Before the page is drawn: no key that somebody presses then is lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || event.repeat || event.altKey) return
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (paletteStore.getState().opened) palette.close()
        else openPalette()
      } else if (event.key === '?' && !event.ctrlKey && !event.metaKey) {
        const isTyping = event.target instanceof Element && event.target.matches(FIELDS)
        if (isTyping || hasDialog()) return
        event.preventDefault()
        showShortcuts()
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [showShortcuts])
}
