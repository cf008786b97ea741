import { Group, Kbd, Text } from '@mantine/core'
import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useId, useLayoutEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { ErrorNotice } from '../../components/blocks.tsx'
import { Small } from '../../components/text/words.tsx'
import { ENTRY_GROUPS, type Entry, findEntries } from './entry.ts'
import { paletteStore } from './palette-store.ts'
import { GROUP_NAMES, text } from './strings.ts'
import { useFoundPlaces, useKnownEntries } from './use-entries.ts'

/** The field and the entries of the palette, while it is open. */
export function PaletteContent({ showShortcuts }: { readonly showShortcuts: () => void }) {
  const { query } = useSpotlight(paletteStore)
  const navigate = useNavigate()
  const open = useCallback((path: string) => void navigate(path), [navigate])
  const known = useKnownEntries(open, showShortcuts)
  const found = useFoundPlaces(query, open)
  const entries = useMemo(
    // At once, not deferred: Enter has to open what was typed.
    () => [...findEntries(known, query), ...found.entries],
    [known, query, found.entries],
  )
  const list = useId()
  const selected = useSelection(list, entries)
  return (
    <>
      <Spotlight.Search
        role="combobox"
        aria-label={text.label}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={selected}
        placeholder={text.placeholder}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
      />
      <Spotlight.ActionsList id={list} role="listbox" aria-label={text.results}>
        {ENTRY_GROUPS.map((group) => (
          <EntryGroupPart
            key={group}
            name={GROUP_NAMES[group]}
            entries={entries.filter((entry) => entry.group === group)}
          />
        ))}
      </Spotlight.ActionsList>
      {entries.length === 0 && (
        <Text c="dimmed" ta="center" py="lg" role="status">
          {found.isSearching ? text.searching : text.noResults}
        </Text>
      )}
      <ErrorNotice error={found.error} title={text.searchFailed} />
      <Spotlight.Footer>
        <Group gap="md">
          <Hint keys="↑↓" name={text.hints.move} />
          <Hint keys="↵" name={text.hints.choose} />
          <Hint keys="Esc" name={text.hints.close} />
        </Group>
      </Spotlight.Footer>
    </>
  )
}

interface GroupProps {
  readonly name: string
  readonly entries: readonly Entry[]
}

function EntryGroupPart({ name, entries }: GroupProps) {
  if (entries.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={name} role="group" aria-label={name}>
      {entries.map(({ id, label, detail, Icon, run }) => (
        <Spotlight.Action
          key={id}
          role="option"
          label={label}
          description={detail}
          leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

function Hint({ keys, name }: { readonly keys: string; readonly name: string }) {
  return (
    <Group gap={6}>
      <Kbd size="xs">{keys}</Kbd>
      <Small>{name}</Small>
    </Group>
  )
}

/** How the library marks the selected entry in the document. */
const MARK = 'data-selected'

/**
 * Keeps an entry selected when the entries change: the one that the person moved to if it is still there, else the
 * first. The library marks it in the document. Returns the id of its element, for the field.
 */
function useSelection(list: string, entries: readonly Entry[]): string | undefined {
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
