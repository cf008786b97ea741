import { useSpotlight } from '@mantine/spotlight'
import { useLayoutEffect, useState } from 'react'
import type { Entry } from './entry.ts'
import { paletteStore } from './palette-store.ts'

/**
 * Keeps an entry selected when the entries change: the one that the person moved to if it is still there, else the
 * first. The library marks it in the document. Returns the id of its element, for the field.
 */
export function useSelection(list: string, entries: readonly Entry[]): string | undefined {
  const { selected } = useSpotlight(paletteStore)
  const [id, setId] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements follow from the entries
  useLayoutEffect(() => {
    // The library does not pass ids on.
    const options = [...(document.getElementById(list)?.querySelectorAll('[role=option]') ?? [])]
    const marked = options.findIndex((option) => option.hasAttribute('data-selected'))
    // What was only the first does not stay selected below what comes before it now.
    const index = selected <= 0 || marked === -1 ? 0 : marked
    for (const [at, option] of options.entries()) {
      option.id = `${list}-${at}`
      option.toggleAttribute('data-selected', at === index)
      option.setAttribute('aria-selected', String(at === index))
    }
    setId(options[index]?.id)
    // The library looks for its list only after the page is drawn: an arrow key before that would be lost.
    if (index !== selected || paletteStore.getState().listId !== list) {
      paletteStore.updateState((state) => ({ ...state, listId: list, selected: index }))
    }
  }, [list, entries, selected])
  return id
}
