import { useSpotlight } from '@mantine/spotlight'
import { useLayoutEffect, useState } from 'react'
import type { Entry } from './entry.ts'
import { paletteStore } from './palette-store.ts'

/** How the library marks the selected entry in the document. */
const MARK = 'data-selected'

/**
 * Keeps an entry selected when the entries change: the one that the person moved to if it is still there, else the
 * first. The library marks it in the document. Returns the id of its element, for the field.
 */
export function useSelection(list: string, entries: readonly Entry[]): string | undefined {
  const { selected } = useSpotlight(paletteStore)
  const [id, setId] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements follow from the entries
  useLayoutEffect(() => {
    const options = optionsOf(list)
    const marked = options.findIndex((option) => option.hasAttribute(MARK))
    // What was only the first does not stay selected below what comes before it now.
    const index = selected <= 0 || marked === -1 ? 0 : marked
    for (const [at, option] of options.entries()) {
      // The library does not pass ids on.
      option.id = `${list}-${at}`
      option.toggleAttribute(MARK, at === index)
    }
    setId(tellSelected(options))
    // The library looks for its list only after the page is drawn: an arrow key before that would be lost.
    if (index !== selected || paletteStore.getState().listId !== list) {
      paletteStore.updateState((state) => ({ ...state, listId: list, selected: index }))
    }
  }, [list, entries, selected])
  useLayoutEffect(() => {
    const root = document.getElementById(list)
    if (root === null) return
    // The library tells nobody when a key moves the selection.
    const moved = new MutationObserver(() => setId(tellSelected(optionsOf(list))))
    moved.observe(root, { subtree: true, attributeFilter: [MARK] })
    return () => moved.disconnect()
  }, [list])
  return id
}

function optionsOf(list: string): Element[] {
  return [...(document.getElementById(list)?.querySelectorAll('[role=option]') ?? [])]
}

/** Tells screen readers which option is marked, and returns its id. */
function tellSelected(options: readonly Element[]): string | undefined {
  for (const option of options) {
    option.setAttribute('aria-selected', String(option.hasAttribute(MARK)))
  }
  return options.find((option) => option.hasAttribute(MARK))?.id
}
