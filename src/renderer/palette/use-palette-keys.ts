import { useEffect } from 'react'
import { hasDialog, openPalette, palette, paletteStore } from './palette-store.ts'

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Opens the palette by Ctrl or Command and K, and the list of shortcuts by `?` outside of fields. */
export function usePaletteKeys(showShortcuts: () => void): void {
  useEffect(() => {
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
