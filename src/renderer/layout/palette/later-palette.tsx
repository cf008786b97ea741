import { useSpotlight } from '@mantine/spotlight'
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { isPlainKey, openPalette, palette, paletteStore } from './palette-store.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Milliseconds that the first screen has the line for itself. */
const LATER = 1_000

/** The command palette and its keys. It is loaded after the first screen, or when somebody asks for it. */
export function LaterPalette() {
  const [lists, setLists] = useState(false)
  const [isLater, setLater] = useState(false)
  const { opened } = useSpotlight(paletteStore)
  usePaletteKeys(setLists)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), LATER)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense>
      {(isLater || opened || lists) && <Palette lists={lists} onLists={setLists} />}
    </Suspense>
  )
}

/** Opens the palette by Ctrl or Command and K, and the list of shortcuts by `?` outside of fields. */
function usePaletteKeys(showShortcuts: (lists: true) => void): void {
  // Before the page is drawn: no key that somebody presses then is lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || event.repeat || event.altKey) return
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (paletteStore.getState().opened) palette.close()
        else openPalette()
      } else if (event.key === '?' && isPlainKey(event)) {
        event.preventDefault()
        showShortcuts(true)
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [showShortcuts])
}
