import { Group, Kbd, Text } from '@mantine/core'
import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useId, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { Small } from '../components/text/quiet.tsx'
import { ENTRY_GROUPS, type Entry, findEntries } from './entry.ts'
import { paletteStore } from './palette-store.ts'
import { GROUP_NAMES, text } from './strings.ts'
import { useFoundPlaces, useKnownEntries } from './use-entries.ts'
import { useSelection } from './use-selection.ts'

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
