import { Group, Kbd, Table } from '@mantine/core'
import { Spotlight } from '@mantine/spotlight'
import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { isDesktop } from '../../bridge/clients.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { returnFocus } from '../../components/dialog/keep-focus.ts'
import { usePlaces } from '../places.ts'
import classes from './palette.module.css'
import { PaletteContent } from './palette-content.tsx'
import { isPlainKey, modKey, paletteStore } from './palette-store.ts'
import { shortcuts, text } from './strings.ts'

interface PaletteProps {
  /** Whether the list of shortcuts is open, too. */
  readonly lists: boolean
  readonly onLists: (lists: boolean) => void
}

/** Goes to any screen, app, channel, release or device, and runs commands, by the keyboard. */
export function Palette({ lists, onLists }: PaletteProps) {
  const showShortcuts = useCallback(() => onLists(true), [onLists])
  useGoKeys()
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

/** Milliseconds after G in which a key goes to its screen. */
const GO_WITHIN = 1_500

/** Goes to a screen by G and its key: the browser has those with Ctrl for itself. */
function useGoKeys(): void {
  const places = usePlaces()
  const navigate = useNavigate()
  useEffect(() => {
    let begunAt = -GO_WITHIN
    const listen = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return
      const key = event.key.toUpperCase()
      const isSecond = event.timeStamp - begunAt < GO_WITHIN
      begunAt = key === 'G' ? event.timeStamp : -GO_WITHIN
      const place = isSecond ? places.find((each) => each.key === key) : undefined
      if (place !== undefined) void navigate(place.to)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [places, navigate])
}

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** The list of shortcuts. */
function ShortcutsDialog({ opened, onClose }: Props) {
  const places = usePlaces()
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
          {shortcuts(isDesktop(), places).map(({ keys, action }) => (
            <Table.Tr key={`${keys[0]} ${action}`}>
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

/** Keys that are pressed together; letters, one after the other. */
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
