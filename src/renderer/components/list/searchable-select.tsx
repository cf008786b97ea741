import {
  CheckIcon,
  Combobox,
  type ComboboxItem,
  TextInput,
  type TextInputProps,
  useCombobox,
} from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { AppName } from '../../../shared/console/apps.ts'
import { text } from '../strings.ts'
import classes from './searchable-select.module.css'

interface Props
  extends Pick<
    TextInputProps,
    'label' | 'description' | 'placeholder' | 'required' | 'error' | 'className'
  > {
  readonly value: string
  /** Their values differ. A value that is missing is offered under its own name; empty means none. */
  readonly choices: readonly ComboboxItem[]
  /** Most pixels of its width, in a row that may be narrower; as wide as its place by default. */
  readonly w?: number
  readonly onChange: (value: string) => void
}

/** Lets one choice of many be found by typing a part of its label, or with the arrow keys. */
export function SearchableSelect({ value, choices, onChange, w, ...field }: Props) {
  const data = withChosen(choices, value)
  const chosen = data.find((choice) => choice.value === value)?.label
  const [typed, setTyped] = useState<string>()
  // Without the focus, nothing of the list is drawn.
  const [isFocused, setFocused] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const { selectFirstOption } = list
  useEffect(() => {
    if (typed !== undefined) selectFirstOption()
  }, [typed, selectFirstOption])
  // Typing then replaces what was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another text
  useEffect(() => {
    if (isFocused && typed === undefined) input.current?.select()
  }, [isFocused, typed, chosen])
  const close = () => {
    setTyped(undefined)
    list.closeDropdown()
  }
  const open = () => {
    list.openDropdown()
    list.updateSelectedOptionIndex('active', { scrollIntoView: true })
  }
  const handleKey = (event: KeyboardEvent) => {
    // In a list without results Enter would submit the form around it.
    if (event.key === 'Enter' && list.dropdownOpened) event.preventDefault()
    if (event.key === 'Escape') setTyped(undefined)
  }
  return (
    <Combobox
      store={list}
      position="bottom-start"
      keepMounted={isFocused}
      onOptionSubmit={(next) => {
        close()
        if (next !== value) onChange(next)
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...(w !== undefined && {
            className: classes.sized ?? '',
            style: { '--most': `${w}px` },
          })}
          {...field}
          id={id}
          ref={input}
          classNames={{ input: classes.input ?? '' }}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          spellCheck={false}
          value={typed ?? chosen ?? ''}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            list.openDropdown()
          }}
          onClick={open}
          onFocus={() => setFocused(true)}
          onBlur={() => {
            setFocused(false)
            close()
          }}
          onKeyDown={handleKey}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown ?? ''}>
        <Combobox.Options labelledBy={`${id}-label`} className={classes.options ?? ''}>
          {isFocused && <Options choices={data} value={value} search={typed ?? ''} />}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface OptionsProps {
  readonly choices: readonly ComboboxItem[]
  readonly value: string
  readonly search: string
}

function Options({ choices, value, search }: OptionsProps) {
  const found = findChoices(choices, search, MAX_CHOICES)
  if (found.length === 0) return <Combobox.Empty>{text.noResults}</Combobox.Empty>
  return found.map((choice) => {
    const isChosen = choice.value === value
    return (
      <Combobox.Option
        key={choice.value}
        value={choice.value}
        disabled={choice.disabled ?? false}
        active={isChosen}
        aria-selected={isChosen}
        className={classes.option ?? ''}
      >
        {isChosen && <CheckIcon className={classes.mark ?? ''} />}
        {choice.label}
      </Combobox.Option>
    )
  })
}

/** Maximum number of choices that a searchable list shows at once; typing finds the others. */
export const MAX_CHOICES = 50

/** Not the value of any choice: names hold no blanks. */
const MORE = ' '

/**
 * Returns the choices whose label contains what was typed, in either case. Of more than `limit`, returns the first
 * ones, and a line that cannot be chosen with the number of the others.
 */
export function findChoices(
  choices: readonly ComboboxItem[],
  search: string,
  limit: number,
): ComboboxItem[] {
  const wanted = search.trim().toLowerCase()
  const found = choices.filter(({ label }) => label.toLowerCase().includes(wanted))
  const rest = found.length - limit
  if (rest <= 0) return found
  const more = { value: MORE, label: text.moreChoices(rest), disabled: true }
  return [...found.slice(0, limit), more]
}

/**
 * Returns choices with the chosen one among those that are shown before anything is typed. A value that none of them
 * has becomes the first choice, under its own name; an empty one means that none is chosen.
 */
export function withChosen(choices: readonly ComboboxItem[], value: string): ComboboxItem[] {
  const index = choices.findIndex((choice) => choice.value === value)
  if (index === -1 && value === '') return [...choices]
  const chosen = choices[index] ?? { value, label: value }
  if (index !== -1 && index < MAX_CHOICES) return [...choices]
  return [chosen, ...choices.filter((choice) => choice !== chosen)]
}

type Choosable = Pick<AppName, 'ref' | 'name' | 'archived'>

/** Returns names, such as those of channels, as choices of a list. */
export function nameChoices(names: Iterable<string>): { value: string; label: string }[] {
  return [...names].map((name) => ({ value: name, label: name }))
}

/** Returns apps as choices of a list, by name and reference; archived ones are marked. */
export function appChoices(apps: readonly Choosable[]): { value: string; label: string }[] {
  return apps.map(({ ref, name, archived }) => {
    const label = name === ref ? ref : text.appChoice(name, ref)
    return { value: ref, label: archived ? text.archivedChoice(label) : label }
  })
}
