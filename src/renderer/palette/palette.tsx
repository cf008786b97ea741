import { Spotlight } from '@mantine/spotlight'
import { useCallback, useState } from 'react'
import { returnFocus } from '../components/dialog/keep-focus.ts'
import classes from './palette.module.css'
import { PaletteContent } from './palette-content.tsx'
import { paletteStore } from './palette-store.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { text } from './strings.ts'
import { usePaletteKeys } from './use-palette-keys.ts'

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
          actionLabel: classes.label ?? '',
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
