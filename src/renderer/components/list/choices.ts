import type { ComboboxItem } from '@mantine/core'
import type { AppName } from '../../../shared/console/apps.ts'
import { text } from '../strings.ts'

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
