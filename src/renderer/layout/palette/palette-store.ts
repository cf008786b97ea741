import { createSpotlight } from '@mantine/spotlight'

/** Whether the command palette is open, and its functions to open and close it. */
export const [paletteStore, palette] = createSpotlight()

/** Opens the palette, unless a dialog is open: the palette would leave its screen. */
export function openPalette(): void {
  if (!hasDialog()) palette.open()
}

/** Returns whether a dialog other than the palette is open. */
export function hasDialog(): boolean {
  return document.querySelector('[role=dialog]:not(.mantine-Spotlight-content)') !== null
}

/** What the key of most shortcuts is called on this machine. */
export const modKey = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Returns whether a key is pressed alone, outside of fields and while nothing lies over the screen. */
export function isPlainKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isTyping = target instanceof Element && target.matches(FIELDS)
  return !ctrlKey && !metaKey && !altKey && !isTyping && !hasDialog()
}
