import {
  CheckIcon,
  Combobox,
  type ComboboxItem,
  TextInput,
  type TextInputProps,
  useCombobox,
} from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { text } from '../strings.ts'
import { findChoices, MAX_CHOICES, withChosen } from './choices.ts'
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
